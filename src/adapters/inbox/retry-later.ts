// Thrown by a handler that was told to wait, by a rate limit for example: its key waits that long, and no try is counted.
export class RetryLater extends Error {
  override readonly name = 'RetryLater'
  readonly seconds: number

  constructor(seconds: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.seconds = seconds
  }
}
