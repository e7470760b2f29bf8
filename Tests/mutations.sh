#!/bin/sh
# Breaks the sources, one defect at a time, and checks that the tests notice. Prints a line for each defect and
# fails if one survives. Run from the project's folder.
#
#     Tests/mutations.sh                         all defects of all targets; an hour on two cores
#     Tests/mutations.sh -o SheafStorage         those of one target: Swidux, SheafList, SheafApp,
#                                                SheafStorage or SheafFormats
#     Tests/mutations.sh "two flights" log       those with one of these in their names
#     Tests/mutations.sh --check                 only checks that every defect still applies
#
# Each defect is tried with the tests of its own target; those of SheafApp with the key tests too, in which the
# features are tested.
set -eu

stale=0
survivors=0
names=

# mutate DEFECT FILE OLD NEW: replaces OLD by NEW, both literally, wherever OLD stands in FILE.
mutate() {
    file=$(find "Sources/$target" Sources/SwiduxJSON -name "$2")
    "$task" "$@"
}

check() {
    names="$names$1
"
    if [ -z "$file" ] || ! grep -qF -- "$3" "$file"; then
        echo "STALE     $1: '$3' is not in $2"
        stale=$((stale + 1))
    fi
}

is_chosen() {
    [ -n "$chosen" ] || return 0
    echo "$chosen" | while read -r word; do
        case $1 in *"$word"*) echo "$word" ;; esac
    done | grep -q .
}

try() {
    is_chosen "$1" || return 0
    cp "$file" saved.swift
    OLD=$3 NEW=$4 perl -0pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/g' "$file"
    if ! swift build --build-tests >build.log 2>&1; then
        echo "NO BUILD  $1"
        grep -m 3 'error:' build.log
        survivors=$((survivors + 1))
        cp saved.swift "$file"
        return
    fi
    status=0
    tests || status=$?
    if [ "$status" -eq 0 ]; then
        echo "SURVIVED  $1"
        survivors=$((survivors + 1))
    elif [ "$status" -eq 124 ]; then
        echo "caught    $1 (the tests wait for ever)"
    else
        echo "caught    $1 ($(grep -c '^✘ Test .* failed after' test.log || true) tests fail)"
    fi
    cp saved.swift "$file"
}

tests() {
    timeout "$limit" .build/debug/*.xctest --testing-library swift-testing --no-parallel --filter "$filter" \
        >test.log 2>&1 </dev/null
}

swidux() {
    mutate "a failed batch replaces newer changes" EntityChange.swift \
        'before: beforeBox, after: later.afterBox,' 'before: beforeBox, after: afterBox,'
    mutate "a failed batch begins with its own values" EntityChange.swift \
        'before: beforeBox, after: later.afterBox,' 'before: later.beforeBox, after: later.afterBox,'
    mutate "what takes back an insertion deletes a row of others" EntityChange.swift \
        'cancelsInsertion ? afterBox ?? cancelledInsertion : nil' 'cancelsInsertion ? nil : nil'
    mutate "a failed batch is dropped" ChangeBuffer.swift \
        'pending = inFlight' 'pending = empty()'
    mutate "a failed batch stays in flight" PersistencePipeline+Flights.swift \
        'buffer.commitFailed()' ''
    mutate "what was handed over stays pending" ChangeBuffer.swift \
        '        pending = empty()
    }

    /// The flight was' '        _ = empty()
    }

    /// The flight was'
    mutate "a refused row takes the chance of its newer change" EntityBuffer.swift \
        'if pending[id] == nil, stored[id] == nil {' 'if stored[id] == nil {'
    mutate "a refused row that storage tells of stays refused" EntityBuffer.swift \
        'if pending[id] == nil, stored[id] == nil {' 'if pending[id] == nil {'
    mutate "a refused row is forgotten" EntityBuffer.swift \
        'refused[id] = (refusal.reason, change.beforeBox)' '_ = refusal'
    mutate "the next change of a refused row begins with what was refused" EntityBuffer.swift \
        'pending.byID[delta.id]?.beforeBox = refusal.base' '_ = refusal'
    mutate "loading ends with the first store" ChangeBuffer.swift \
        'allSatisfy { $0.isHydrated(state) }' 'contains { $0.isHydrated(state) }'
    mutate "a file that another program changed is written over" OpenJSONFile.swift \
        'if FileVersion(old) == version {' 'if FileVersion(old) == FileVersion(old) {'
    mutate "the file that replaces another is not locked" OpenJSONFile.swift \
        'mark: Self.mark, isLocked: true' 'mark: Self.mark, isLocked: false'
    mutate "a file of a newer version is taken" KeptDocument.swift \
        'head.version <= file.version' 'head.version >= 0'
    mutate "stores that the program does not know are lost" KeptDocument.swift \
        '!known.contains($0)' 'known.isEmpty && $0.isEmpty'
    mutate "what JSON brings back otherwise is written" KeptPart.swift \
        'if decoded == entity {' 'if decoded.id == entity.id {'
    mutate "hydration is written" EntityBuffer.swift \
        'if delta.isRecorded {' 'if delta.isRecorded || delta.after != nil {'
    mutate "what is taken in overrides what waits" EntityBuffer.swift \
        'overridden[delta.id] = wanted' '_ = wanted'
    mutate "what is adopted is written" EntityStore+Hydration.swift \
        '                put(entity, place: nil, isRecorded: false)' '                put(entity, place: nil)'
    mutate "what is adopted as deleted is deleted" EntityStore+Hydration.swift \
        'remove(id, isRecorded: false)' 'remove(id)'
    mutate "a store assigned whole is not compared" EntityBuffer.swift \
        'return store.differences(from: drained)' 'return []'
    mutate "a delete is written as nothing" EntityChanges.swift \
        'byID.compactMap { $1.afterBox == nil ? $0 : nil }' 'byID.compactMap { $1.afterBox == nil ? nil : nil }'
    mutate "a failure is forgotten" PersistencePipeline+Flights.swift \
        'status.failure = describe(error)' 'status.failure = nil'

    mutate "two flights at once" PipelineState.swift \
        'flight = .commit' '_ = Step.commit'
    mutate "a fetch during a commit" PipelineState.swift \
        'guard flight == .none else { return .rest }' 'guard flight == .none || isCommitting else { return .rest }'
    mutate "a commit during a fetch" PipelineState.swift \
        'guard flight == .none else { return .rest }' 'guard flight == .none || flight == .fetch else { return .rest }'
    mutate "a commit before what arrived is taken in" PipelineState.swift \
        'guard flight == .none else { return .rest }' 'guard flight == .none || flight == .arrival else { return .rest }'
    mutate "staleness has no bound" PipelineState.swift \
        'min($0.last + debounce, $0.first + maxDelay)' '$0.last + debounce'
    mutate "every change is written at once" PipelineState.swift \
        'min($0.last + debounce, $0.first + maxDelay)' '$0.first'
    mutate "a list that can only be read is written to" PipelineState.swift \
        'case (.allowed, true): writing = .readOnly' 'case (.allowed, true): break'
    mutate "no pause after a failure" PipelineState.swift \
        'until: now + delay' 'until: now'
    mutate "all pauses are equal" PipelineState.swift \
        'failures: min(failures + 1, 7)' 'failures: 0'
    mutate "the pause outlasts a fetch that shows its cause gone" PipelineState.swift \
        'if case .pause(_, _, isProbed: true) = retry { endPause(at: now) }' ''
    mutate "any fetch ends the pause" PipelineState.swift \
        'if case .pause(_, _, isProbed: true) = retry' 'if case .pause = retry'
    mutate "the rest of a fetch is forgotten" PipelineState.swift \
        'if !isComplete { fellBehind() }' '_ = isComplete'
    mutate "a commit that found storage ahead fetches nothing" PipelineState.swift \
        'if isBehind { fellBehind() }' '_ = isBehind'
    mutate "what is owed is forgotten" PipelineState.swift \
        'requiresCommit = true' 'requiresCommit = false'

    mutate "what arrives replaces what waits" EntityBuffer+Rebase.swift \
        'if outcome.value != mine { shown.upsert(outcome.value) }' 'shown.upsert(theirs)'
    mutate "an arrival is merged without what both began with" EntityBuffer+Rebase.swift \
        'merge(base: waiting.beforeBox?.value,' 'merge(base: nil,'
    mutate "what waits keeps its base though storage has another" EntityBuffer+Rebase.swift \
        'EntityChange(before: theirs, after' 'EntityChange(before: waiting.before, after'
    mutate "what storage already has is written again" EntityBuffer+Rebase.swift \
        'outcome.value == theirs' 'false'
    mutate "what is here already arrives" EntityBuffer+Rebase.swift \
        'if drained?[id] != theirs {' 'if true {'
    mutate "a deletion of what is not here arrives" EntityBuffer+Rebase.swift \
        'if drained?.contains(id) ?? true {' 'if true {'
    mutate "a deletion that yields is not told" EntityBuffer+Rebase.swift \
        'outcome: .notDeleted' 'outcome: .kept'
    mutate "what storage never had counts as deleted there" EntityBuffer+Rebase.swift \
        'guard waiting.beforeBox != nil else { return }' ''
    mutate "a refused row keeps its base though storage has another" EntityBuffer+Rebase.swift \
        'refused[id]?.base = SharedEntity(theirs)' ''
    mutate "conflicts of what arrives are not told" ChangeBuffer.swift \
        'arrival.conflicts += total.conflicts' ''
    mutate "an arrival of nothing is an action" PersistencePipeline.swift \
        'if rebase.shown == 0,' 'if rebase.shown == -1,'
    mutate "the log keeps what an arrival has moved" PersistencePipeline.swift \
        'isConfirmed || rebase.isAltered' 'isConfirmed'

    mutate "each commit renews the log" PersistencePipeline+Flights.swift \
        'if pipeline.isLogStale || !buffer.refusals.isEmpty {' 'if true {'
    mutate "what was refused leaves the log" PersistencePipeline+Flights.swift \
        'if pipeline.isLogStale || !buffer.refusals.isEmpty {' 'if pipeline.isLogStale {'
    mutate "a log ahead keeps what is committed" PipelineState.swift \
        'log = isCommitting ? .ahead : .whole' 'log = .whole'
    mutate "a torn log counts as whole" PipelineState.swift \
        'log = .torn' 'log = .whole'
    mutate "a torn log is appended to" PersistencePipeline+Log.swift \
        'if !rewriting, pipeline.log != .torn {' 'if !rewriting {'
    mutate "a log that fails is not told" PersistencePipeline+Log.swift \
        'status.failure = describe(error)' '_ = error'
    mutate "saving with a torn log sounds safe" PersistencePipeline+Statuses.swift \
        'if pipeline.isCommitting, pipeline.log != .torn {' 'if pipeline.isCommitting {'

    mutate "steps that cannot be redone are kept" UndoHistory.swift \
        'forget(undone.filter { !$0.isRefused })' '_ = undone'
    mutate "a refused undo is used up" UndoHistory.swift \
        'undone.reversed() where step.isRefused' 'undone.reversed() where step.isTied && !step.isTied'
    mutate "undo overwrites what changed since" EntityUndoChanges.swift \
        'if !isChanged, progress' 'if !isChanged || true, progress'
    mutate "undo does what is blocked" EntityUndoChanges.swift \
        'isBlocked(state, expected, wanted)' 'isBlocked(state, expected, expected)'
    mutate "undo does half of what belongs together" EntityUndoChanges.swift \
        'progress.groups?.refuses(progress.first + place) != true' 'progress.groups?.refuses(place) != nil || true'
    mutate "an undo that storage refused a part of stays half done" EntityUndoChanges.swift \
        ': wanted == nil ? start?[id] == nil :' ': wanted == nil ? start?[id] != start?[id] :'
    mutate "an undo of which a part was put back stays half done" EntityUndoChanges.swift \
        ': isReverted(id, current, expected, wanted)' ': false'
    mutate "an undo that is saved is reverted" UndoHistory+Arrivals.swift \
        'first.flush <= settled' 'first.flush < settled - settled'
    mutate "others change what is undone in parts" Store.swift \
        'if next.action == nil, let undo' 'if next.action == nil, next.action != nil, let undo'
    mutate "what belongs to a later part of a command is not known" UndoHistory.swift \
        'done[index].isTied = keys.haveTie' '_ = keys.haveTie'
    mutate "undo and redo are one" EntityUndoChanges.swift \
        'let wanted = isRedo ? change.after : change.before' 'let wanted = change.before; _ = isRedo'
    mutate "a coalesced step keeps its last value only" EntityUndoChanges.swift \
        'let before = joined[id].map(\.before) ?? change.before' 'let before = change.before'
    mutate "a page brings a deleted row back" EntityStore+Hydration.swift \
        'for entity in entities where editedDuringHydration?.contains(entity.id) != true {' 'for entity in entities {'
    mutate "a loaded store overrides edits" EntityStore+Hydration.swift \
        'let own = (editedDuringHydration ?? []).map' 'let own = (editedDuringHydration ?? []).prefix(0).map'
    mutate "a loaded store counts as edits" EntityBuffer.swift \
        'guard let edits = store.edits(since: drained.revision) else {' \
        'guard let edits = store.deltas(since: drained.revision) else {'
    mutate "a shared chunk is edited" ChunkedArray.swift \
        'if !isKnownUniquelyReferenced(&chunks[chunk]) { chunks[chunk] = chunks[chunk].copied() }' ''
    mutate "effects begin after send has returned" Store.swift \
        'let task = Task.immediate {' 'let task = Task {'
    mutate "a cancelled effect begins" Cancellation.swift \
        'guard !run.isCancelled else { return }' ''
    mutate "the timer lets go of what is pending" PersistencePipeline+Flights.swift \
        '{ [self] in' '{ [weak self] in guard let self else { return };'
    mutate "a send within a send is taken at once" Store.swift \
        'guard !isWorking else { return }' 'if isWorking, queue.isEmpty { return }'
    mutate "loops are not caught" CausalChain.swift \
        'if nested >= Self.limit {' 'if nested < 0 {'
    mutate "cancellation reaches later effects" EffectRegistry.swift \
        'state.runs[id].map { $0.values.filter { $0.ordinal < ordinal } } ?? []' \
        'state.runs[id].map { Array($0.values) } ?? []'
}

sheafList() {
    mutate "a repeat counts from today always" Repeat.swift \
        'isFromDue ? days.due' 'false ? days.due'
    mutate "the scheduled day of a repeat stays" Repeat.swift \
        'return Days(due: next, scheduled: moved)' 'return Days(due: next, scheduled: moved > next ? moved : scheduled)'
    mutate "no century is a leap year" CalendarDay.swift \
        'yearOfEra / 100 + dayOfYear' 'yearOfEra / 50 + dayOfYear'
    mutate "one alternative is enough for AND" ItemSearch+Find.swift \
        'rows = rows.intersection(other.rows)' 'rows = rows.union(other.rows)'
    mutate "notes are not searched" ItemSearch+Find.swift 'take(row, MatchClass.elsewhere)' ''
    mutate "a word is ranked by its first place in a name" ItemSearch+Find.swift \
        'if matchClass >= MatchClass.wholeWord { place = end }' 'place = end'
    mutate "rows after an edit are those of before" ListRows.swift \
        'leaves[number] = leaf' '_ = (number, leaf)'
    mutate "an edit leaves columns as they were" ItemColumns.swift \
        'if old.value.texts != new.value.texts { setTexts(of: row, at: index) }
            setFields(of: row, at: index)' '_ = row'
    mutate "fuzzy matches stay although there are others" ItemRows.swift \
        'new.contains { search.hasExactMatch($0.chunk) }' 'new.isEmpty'
    mutate "an unchanged name is an edit" ItemEdit.swift \
        'if self != before {' 'if self != before || true {'
    mutate "two tags may have one name" StorageChanges+Tags.swift \
        '{ throw .nameTaken(other) }' '{ _ = other }'
    mutate "two tags of one name are admitted" TagAdmission.swift \
        'if taken.insert(tag.foldedName).inserted {' 'if taken.insert(tag.foldedName).inserted || true {'
    mutate "queries keep a name that was refused" TagAdmission.swift \
        'admitted[id]?.after = kept' '_ = kept'
    mutate "two views of one name are stored" EntityChanges+Names.swift \
        'changes[view.id]?.after = view' '_ = view'
    mutate "a substituted tag is not reported" Reconciliation.swift \
        'guard admitted.tags != item.tags else { continue }' 'guard admitted.tags == item.tags else { continue }'
    mutate "edits of others are not merged" Reconciliation.swift \
        'let isMerged = !isCurrent || haveNext' 'let isMerged = haveNext'
    mutate "a deletion beats an edit" Reconciled.swift \
        'if let base = change.before, let theirs = try stored(id), theirs != base {' 'if try stored(id) == nil, change.before == nil {'
    mutate "a tag that is gone stays on items" Reconciliation.swift \
        'rows.items[id]?.after?.tags.subtract(missing)' ''
    mutate "an item is reopened beside its edited next occurrence" Reconciliation.swift \
        'result.keepDone(in: items)' ''
}

sheafApp() {
    mutate "an edit is written over that of another process" Items.swift \
        '{ $0 = outcome.value }' '{ $0 = mine }'
    mutate "a reopened item keeps its next occurrence" AppState+Repeat.swift \
        'case .removed(let next): items[next.id] = nil' 'case .removed: break'
    mutate "the panes scroll before the selection has moved" AppState+Settling.swift \
        '        let counts = settleSelection(keeping: place, above: replacements.anchor, environment)
        settleScroll()' '        settleScroll()
        let counts = settleSelection(keeping: place, above: replacements.anchor, environment)'
    mutate "a row that has gone from above the selection counts" AppState+Settling.swift \
        'ui.selectedRow = ui.selectedItem.flatMap { rows.row(of: $0) } ?? 0' '_ = rows.count'
}

sheafStorage() {
    mutate "a JSON file of others is written over" JSONSession.swift \
        'if file.presentVersion == known.version {' 'if true {'
    mutate "an empty file is an empty list" JSONSession.swift \
        'guard !data.isEmpty else { throw FileFailure.empty(at: file.location) }' ''
    mutate "any list is a version of another" ListIdentity.swift \
        'return try isEmpty ||' 'return try isEmpty || !isEmpty ||'
    mutate "an empty list has no id" Schema.swift \
        'try identity.run()' '_ = identity'
    mutate "a JSON list gets an id of its own each time" JSONSession.swift \
        'known.list.ids.min() ?? .random()' '.random()'
    mutate "a missing JSON list is not copied" JSONSession.swift \
        'if file.presentVersion != known.version { _ = try list() }' ''
    mutate "an overwritten list is not noticed" SQLiteSession.swift \
        'guard isList else {' 'guard isList || !isList else {'
    mutate "a moved list is written to" SQLiteSession.swift \
        'stat(file.path, &status) == 0 && StoreFile.Identity(status) == identity' 'true'
    mutate "a log that came later is removed" AbandonedLogs.swift \
        'if held.records == log.records { held.remove() }' 'held.remove()'
}

sheafFormats() {
    mutate "an older import wins" ImportedItem+Merge.swift \
        'calendar.moment($0) < calendar.moment(item.updatedAt)' \
        'calendar.moment($0) > calendar.moment(item.updatedAt)'
    mutate "a replaced note is lost" ImportedItem+Merge.swift \
        'if !note.hasLines(old.note) { replaced.append(old.note) }' ''
    mutate "a task of tags alone has no name" TodoTask.swift \
        'if name.isEmpty { name = line.description }' ''
    mutate "a fence never ends" MarkdownReader.swift \
        'if fence.isClosed(by: content) { self.fence = nil }' '_ = fence'
    mutate "a known item is imported again" KnownItems.swift \
        'if match(content) { return }' '_ = match(content)'
    mutate "the date of creation is dropped" MarkdownReader.swift \
        'if let createdOn = text.createdOn { item.createdAt = Timestamp(createdOn) }' ''
}

# Runs the defects of the chosen targets.
defects() {
    for target in ${only:-Swidux SheafList SheafApp SheafStorage SheafFormats}; do
        case $target in
        Swidux) filter='^SwiduxTests\.' group=swidux limit=240 ;;
        SheafList) filter='^SheafListTests\.' group=sheafList limit=300 ;;
        SheafApp) filter='^Sheaf(App|TUI)Tests\.' group=sheafApp limit=300 ;;
        SheafStorage) filter='^SheafStorageTests\.' group=sheafStorage limit=300 ;;
        SheafFormats) filter='^SheafFormatsTests\.' group=sheafFormats limit=60 ;;
        *) echo "no target is called $target" >&2; exit 64 ;;
        esac
        if [ "$task" = try ]; then prepare; fi
        $group
        cd "$root"
    done
}

# Copies the sources and tests to a folder of their own, builds them and runs the tests once.
prepare() {
    work=${TMPDIR:-/tmp}/sheaf-mutations
    if [ "$target" = Swidux ]; then work=${TMPDIR:-/tmp}/swidux-mutations; fi
    rm -rf "$work/Sources" "$work/Tests"
    mkdir -p "$work/Sources" "$work/Tests"
    if [ "$target" = Swidux ]; then swidux_alone; else
        cp -R Sources Tests Package.swift ./*.md Resources "$work"
        cd "$work"
    fi
    echo "Building $target without a defect…"
    swift build --build-tests >build.log 2>&1 || { cat build.log; exit 1; }
    tests || { grep '^✘' test.log; exit 1; }
}

# The framework and its tests alone, so that a defect takes seconds to build.
swidux_alone() {
    cp -R Sources/Swidux Sources/SwiduxJSON Sources/SwiduxFiles Sources/SwiduxTesting Sources/CPlatform "$work/Sources"
    cp -R Tests/SwiduxTests "$work/Tests"
    # It checks that articles show tested code, which no defect changes.
    rm -rf "$work/Tests/SwiduxTests/Documentation/ArticleTests.swift" "$work"/Sources/*/*.docc
    cd "$work"
    cat >Package.swift <<'PACKAGE'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "mutations",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-collections", from: "1.6.0")],
    targets: [
        .target(name: "CPlatform"),
        .target(name: "SwiduxFiles", dependencies: ["CPlatform"]),
        .target(
            name: "Swidux",
            dependencies: [
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "OrderedCollections", package: "swift-collections"),
            ]),
        .target(name: "SwiduxJSON", dependencies: ["Swidux", "SwiduxFiles"]),
        .target(name: "SwiduxTesting", dependencies: ["Swidux"]),
        .testTarget(
            name: "SwiduxTests", dependencies: ["Swidux", "SwiduxJSON", "SwiduxTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
PACKAGE
}

root=$PWD
only=
if [ "${1:-}" = -o ]; then
    only=$2
    shift 2
fi
task=check
defects
[ "$stale" -eq 0 ] || exit 1
[ "${1:-}" != --check ] || exit 0
task=try
chosen=$(if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi)
if [ -n "$chosen" ]; then
    echo "$chosen" | while read -r word; do
        case $names in *"$word"*) ;; *) echo "no defect is called $word" >&2; exit 64 ;; esac
    done
fi
defects
echo "$survivors not caught"
[ "$survivors" -eq 0 ]
