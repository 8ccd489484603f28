// A store that cannot be used as it is. What that is and what to do about it stand in its words; whoever starts the
// process shows them without a stack.
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}
