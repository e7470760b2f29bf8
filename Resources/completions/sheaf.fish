# Completion of sheaf in fish. The words come from `sheaf complete`, which reads the list and changes nothing.

function __sheaf_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -e words[1]
    # A quotation mark may still be open.
    set -l word (commandline -ct | string replace -r '^["\']' '' | string replace -ra '\\\\(.)' '$1')
    if $program complete -- (string replace -r '^~/' "$HOME/" -- $words "$word") 2>/dev/null
        return
    end
    # The name of a file.
    set -l option (string match -r '^--[^=]*=' -- "$word")
    for path in (__fish_complete_path (string replace -r '^--[^=]*=' '' -- "$word"))
        echo -- "$option$path"
    end
end

complete -c sheaf -f -k -a '(__sheaf_complete)'
