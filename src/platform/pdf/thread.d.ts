/** A module and all it imports as one text, to be run in a thread of its own. */
declare module '*?thread' {
  const code: string
  export default code
}
