import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** What a processor has at hand. */
export interface ProcessorContext {
  /** Id of the run; the same whenever the work is begun again. */
  readonly runId: string
  readonly jobName: string
  readonly tenantId: string
  /** What the run is given, or else what its job says. */
  readonly params: string | null
  /** Name of the process that does the work. */
  readonly node: string
  /** Aborted when the work must stop: its time is over, somebody has called it off, or the server ends. */
  readonly signal: AbortSignal
  /** Writes a line into the log of the run. */
  log(level: 'debug' | 'info' | 'warn' | 'error', text: string): void
}

/** What came of work, in a few words. */
export type Outcome = Promise<string | undefined>

/** Work that jobs of the built-in server can choose by its name. Which ways of execution it knows is said by what it has. */
export interface Processor {
  /** What a job says to choose it. */
  readonly name: string
  /** What administrators read, in Chinese. */
  readonly title: string
  /** What is wrong with the parameters of a job, in words; null when nothing is. */
  check?(app: FastifyInstance, params: string | null): Promise<string | null>
  /** Alone, in one process. */
  run?(ctx: ProcessorContext): Outcome
  /** In every process that is alive when the run begins. */
  broadcast?(ctx: ProcessorContext): Outcome
  /** Says which parts there are, as JSON; any process does one. */
  map?(ctx: ProcessorContext): Promise<readonly unknown[]>
  /** Does one of the parts. It may be begun again after an end of its process. */
  part?(ctx: ProcessorContext, part: unknown): Outcome
  /** Puts together what came of all parts; begun again only if its process ends. */
  reduce?(ctx: ProcessorContext, results: readonly string[]): Outcome
}

/** The processors of the program. */
export interface Processors {
  add(processor: Processor): void
  get(name: string): Processor | undefined
  all(): readonly Processor[]
}

declare module 'fastify' {
  interface FastifyInstance {
    processors: Processors
  }
}

/** Decorates the app with what jobs of the built-in server can choose. */
export default fp(
  async app => {
    const known = new Map<string, Processor>()
    app.decorate('processors', {
      add(processor) {
        if (known.has(processor.name)) throw new Error(`There are two processors ${processor.name}.`)
        known.set(processor.name, processor)
      },
      get: name => known.get(name),
      all: () => [...known.values()],
    })
  },
  { name: 'processors' },
)
