import type { IncomingHttpHeaders } from 'node:http'

/** Something that is followed until it ends. */
export interface Span {
  /** Does something that is a part of it. */
  run<T>(work: () => T): T
  /** Adds what became known meanwhile. No names, ids or values of people. */
  tell(attributes: Readonly<Record<string, string | number>>): void
  /** @param fault what kind of fault it ended with, without its message, which may tell of people */
  end(fault?: string): void
}

/** Where the program tells what it does, and how long each part takes. Nothing is kept where nobody asks for traces. */
export interface Tracer {
  /** Whether anybody asks for traces. */
  readonly isOn: boolean
  /**
   * Follows a call.
   * @param headers a `traceparent` in them makes it a part of the caller's trace
   */
  call(name: string, headers: IncomingHttpHeaders): Span
  /** Follows a piece of work in the background and what is done for it. */
  work<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Begins a part of what is followed here; null where nothing is. */
  part(name: string, attributes: Readonly<Record<string, string | number>>): Span | null
}

declare module 'fastify' {
  interface FastifyInstance {
    tracer: Tracer
  }
}

const noSpan: Span = { run: work => work(), tell: () => {}, end: () => {} }

/** Follows nothing. */
export const noTracer: Tracer = {
  isOn: false,
  call: () => noSpan,
  work: (_name, work) => work(),
  part: () => null,
}

/** What kind of error it is: its code where it has one, else its name. */
export function faultOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'Error')
}
