declare module 'saxen' {
  /** Where the parser is; asking reads the text from its beginning. */
  type GetContext = () => { readonly line: number; readonly column: number }
  /** Attributes as they are written; false where they are none. */
  type GetAttributes = () => false | Readonly<Record<string, string>>
  type Decode = (text: string) => string

  /** A streaming parser of XML. */
  export class Parser {
    on(
      event: 'openTag',
      work: (name: string, attributes: GetAttributes, decode: Decode, isClosed: boolean, context: GetContext) => void,
    ): this
    on(event: 'text', work: (text: string, decode: Decode) => void): this
    on(event: 'closeTag' | 'cdata' | 'attention' | 'question', work: (text: string) => void): this
    on(event: 'error' | 'warn', work: (error: Error) => void): this
    parse(xml: string): Error | null
    stop(): void
  }
}
