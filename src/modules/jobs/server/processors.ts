import type { FastifyInstance } from 'fastify'
import { JobExecuteType } from '#schemas/dictionaries'
import type { Processor } from '../../../platform/queue/processors.ts'

/** Work that cannot be done now, because it is being done by another. */
export class AlreadyRunning extends Error {}

/** A processor by its name: one that was added, or recurring work of the server itself. */
export function processorOf(app: FastifyInstance, name: string): Processor | undefined {
  const own = app.jobs.get(name)
  if (!own) return app.processors.get(name)
  const run = async () => {
    if (!(await app.jobs.run(name))) throw new AlreadyRunning(`${name} is running`)
    return undefined
  }
  return { name, title: own.title, run }
}

/** Every processor there is, by name. */
export const allProcessors = (app: FastifyInstance): readonly Pick<Processor, 'name' | 'title'>[] =>
  [...app.processors.all(), ...app.jobs.all()].map(({ name, title }) => ({ name, title }))

/** Whether a processor can do its work in a way of execution. */
export function canExecute(processor: Processor, executeType: number): boolean {
  if (executeType === JobExecuteType.standalone) return processor.run !== undefined
  if (executeType === JobExecuteType.broadcast) return processor.broadcast !== undefined
  const isMapped = processor.map !== undefined && processor.part !== undefined
  return executeType === JobExecuteType.map ? isMapped : isMapped && processor.reduce !== undefined
}
