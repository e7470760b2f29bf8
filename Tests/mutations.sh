#!/bin/sh
# Breaks Swidux by hand, one defect at a time, and asks whether its tests notice. Prints a line for each defect and
# fails if one survives. Run by `make mutate`, from the project's folder; takes a quarter of an hour.
# With words behind it, `Tests/mutations.sh "two flushes"`, only the defects that are called so.
set -eu

# The framework and its tests alone, so that a defect takes seconds to build.
work=${TMPDIR:-/tmp}/swidux-mutations
mkdir -p "$work/Sources" "$work/Tests"
rm -rf "$work/Sources/Swidux" "$work/Sources/SwiduxTesting" "$work/Tests/SwiduxTests"
cp -R Sources/Swidux Sources/SwiduxTesting "$work/Sources"
cp -R Tests/SwiduxTests "$work/Tests"
# It asks whether articles show code that is tested, which no defect changes.
rm -rf "$work/Tests/SwiduxTests/Documentation/ArticleTests.swift" "$work"/Sources/*/*.docc
cat >"$work/Package.swift" <<'PACKAGE'
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "mutations",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-collections", from: "1.6.0")],
    targets: [
        .target(
            name: "Swidux",
            dependencies: [
                .product(name: "HashTreeCollections", package: "swift-collections"),
                .product(name: "OrderedCollections", package: "swift-collections"),
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(name: "SwiduxTesting", dependencies: ["Swidux"]),
        .testTarget(name: "SwiduxTests", dependencies: ["Swidux", "SwiduxTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
PACKAGE
cd "$work"
sources=Sources/Swidux
survivors=0

echo "Building without a defect…"
swift build --build-tests >build.log 2>&1 || { cat build.log; exit 1; }
swift test --skip-build >test.log 2>&1 || { grep '^✘' test.log; exit 1; }

# mutate WHAT FILE OLD NEW: the defect, and what stands in FILE literally, wherever it does, before and after.
only=${1:-}
mutate() {
    case $1 in *"$only"*) ;; *) return ;; esac
    file=$(find "$sources" -name "$2")
    if ! grep -qF -- "$3" "$file"; then
        echo "STALE     $1: '$3' is not in $2"
        survivors=$((survivors + 1))
        return
    fi
    cp "$file" saved.swift
    OLD=$3 NEW=$4 perl -pi -e 's/\Q$ENV{OLD}\E/$ENV{NEW}/g' "$file"
    if ! swift build --build-tests >build.log 2>&1; then
        echo "NO BUILD  $1"
        grep -m 3 'error:' build.log
        survivors=$((survivors + 1))
        cp saved.swift "$file"
        return
    fi
    status=0
    timeout 120 swift test --skip-build >test.log 2>&1 || status=$?
    if [ "$status" -eq 0 ]; then
        echo "SURVIVED  $1"
        survivors=$((survivors + 1))
    elif [ "$status" -eq 124 ]; then
        echo "caught    $1 (the tests wait for ever)"
    else
        echo "caught    $1 ($(grep -c '^✘ Test .* failed' test.log || true) tests fail)"
    fi
    cp saved.swift "$file"
}

mutate "a failed batch replaces newer changes" EntityBuffer.swift \
    'merged.merge(pending) { _, newer in newer }' 'merged.merge(pending) { older, _ in older }'
mutate "a failed batch is dropped" EntityBuffer.swift \
    'var merged = inFlight' 'var merged: OrderedDictionary<Entity.ID, Operation> = [:]; if inFlight.isEmpty { merged = inFlight }'
mutate "what was handed over stays pending" EntityBuffer.swift \
    '        pending = [:]' '        _ = pending'
mutate "hydration is written" EntityBuffer.swift \
    'where delta.isRecorded {' 'where delta.isRecorded || delta.after != nil {'
mutate "a store assigned whole is not compared" EntityBuffer.swift \
    '?? store.differences(from: drained)' '?? []'
mutate "a delete is written as nothing" EntityBuffer.swift \
    'case .delete: changes.deletions.append(id)' 'case .delete: break'
mutate "the buffer is cleared before the commit" PersistenceMiddleware.swift \
    'for buffer in buffers { buffer.turnBack() }' 'for buffer in buffers { _ = buffer.land([]) }'
mutate "two flushes at once" PersistenceMiddleware.swift \
    'flight == nil, pendingCount > 0' 'pendingCount > 0'
mutate "staleness has no bound" PersistenceMiddleware.swift \
    'return min(lastChange + debounce, firstChange + maxDelay)' '_ = firstChange; return lastChange + debounce'
mutate "a failure is forgotten" PersistenceMiddleware.swift \
    'status.failure = describe(error)' 'status.failure = nil'
mutate "steps that cannot be redone are kept" UndoHistory.swift \
    'forget(undone)' '_ = undone'
mutate "undo overwrites what changed since" EntityUndoChanges.swift \
    'if state[keyPath: keyPath][id] == expected {' 'if true || state[keyPath: keyPath][id] == expected {'
mutate "undo and redo are one" EntityUndoChanges.swift \
    'let wanted = direction == .undo ? change.before : change.after' 'let wanted = change.before; _ = direction'
mutate "a coalesced step keeps its last value only" EntityUndoChanges.swift \
    'let before = joined[id].map(\.before) ?? change.before' 'let before = change.before'
mutate "a page brings a deleted row back" EntityStore+Hydration.swift \
    'for entity in entities where !contains(entity.id) && erased?.contains(entity.id) != true {' \
    'for entity in entities where !contains(entity.id) {'
mutate "a send within a send is taken at once" Store.swift \
    'guard !isWorking else { return }' 'if isWorking, queue.isEmpty { return }'
mutate "loops are not caught" CausalChain.swift \
    'var isLoop: Bool { length >= Self.limit }' 'var isLoop: Bool { length < 0 }'
mutate "cancellation reaches later effects" EffectRegistry.swift \
    'state.runs[id].map { $0.values.filter { $0.ordinal < ordinal } } ?? []' \
    'state.runs[id].map { Array($0.values) } ?? []'

echo "$survivors not caught"
[ "$survivors" -eq 0 ]
