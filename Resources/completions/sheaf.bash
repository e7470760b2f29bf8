# Completion of sheaf in bash. The words come from `sheaf complete`, which reads the list and changes nothing.

_sheaf() {
    # Bash also divides words at colons, equals signs and others. A piece that follows without a space
    # belongs to the word before it.
    local rest=${COMP_LINE:0:COMP_POINT} piece index before=
    local -a words=("${COMP_WORDS[0]}")
    rest=${rest#*"${COMP_WORDS[0]}"}
    for ((index = 1; index <= COMP_CWORD; index++)); do
        piece=${COMP_WORDS[index]}
        ((index == COMP_CWORD)) && piece=${rest#"${rest%%[![:space:]]*}"}
        if [[ -n $rest && $rest != [[:space:]]* ]] && ((index > 1)); then
            before=${words[-1]}
            words[-1]+=$piece
        else
            before=
            words+=("$piece")
        fi
        rest=${rest#"${rest%%[![:space:]]*}"}
        rest=${rest#"$piece"}
    done

    # Readline keeps what stands before the last piece, or before an open quotation mark, and replaces
    # the rest.
    local word=${words[-1]} kept=$before quote=
    if [[ $piece == [\'\"]* ]]; then
        quote=${piece:0:1}
    elif [[ -n $piece && $COMP_WORDBREAKS == *"${piece: -1}"* ]]; then
        kept=$word
    fi
    # Except an at sign, which belongs to what is replaced.
    kept=${kept%@}
    for index in "${!words[@]}"; do
        words[index]=${words[index]//[\\\"\']/}
        [[ ${words[index]} == \~/* ]] && words[index]=$HOME/${words[index]:2}
    done
    kept=${kept//\\/}

    local lines text description
    if [[ ${COMP_WORDS[COMP_CWORD - 1]} == *[\<\>] ]] ||
        ! lines=$("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null); then
        # The name of a file.
        compopt -o default
        return
    fi
    [[ -n $lines ]] || return 0
    COMPREPLY=()
    local -a descriptions=()
    while IFS=$'\t' read -r text description; do
        text=${text#"$kept"}
        [[ -n $quote ]] || printf -v text %q "$text"
        COMPREPLY+=("$text")
        descriptions+=("$description")
    done <<<"$lines"
    # A key such as due: or --store= is not complete without a value.
    [[ ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace
    # Descriptions are shown, unless the shell goes through the words and inserts one after the other.
    ((${#COMPREPLY[@]} > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 ]] || return 0
    for index in "${!COMPREPLY[@]}"; do
        [[ -z ${descriptions[index]} ]] || COMPREPLY[index]+="  (${descriptions[index]})"
    done
}

complete -o nosort -F _sheaf sheaf
