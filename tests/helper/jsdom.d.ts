/** As much of jsdom as tests use; it has no types of its own. */
declare module 'jsdom' {
  export class VirtualConsole {}
  export class JSDOM {
    constructor(html: string, options?: { runScripts?: 'dangerously'; virtualConsole?: VirtualConsole })
    readonly window: Window & typeof globalThis
  }
}
