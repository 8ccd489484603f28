// How a branch is named where GitHub takes any name of a commit. A tag may be called like a branch, and whoever may push makes one:
// git takes the tag then, and GitHub does not say what it does. Nothing is called like a commit, so that this stays what it is.
// https://docs.github.com/en/get-started/using-git/dealing-with-special-characters-in-branch-and-tag-names
const commit = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

export const atBranch = (name: string): string => (commit.test(name) ? name : `refs/heads/${name}`)
