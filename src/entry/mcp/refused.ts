// What a tool answers where it does not do what it was asked, in words for whoever called it.

export class Refused extends Error {
  override readonly name = 'Refused'
}
