import type { FastifyInstance } from 'fastify'
import { domainEvents } from '#resources/events'
import { serve } from '../../../platform/http/server/serve.ts'
import { keepLooking } from '../../../platform/queue/loop.ts'
import { hookEventTree } from '../../../screens/contract.ts'
import { deliverDue, tidyDeliveries } from './deliver.ts'
import hookSandbox, { hookSandboxPath } from './sandbox/plugin.ts'

/** The events that can be chosen, and sending them. */
export default async function webhookRoutes(app: FastifyInstance): Promise<void> {
  const choices = [...domainEvents.values()].map(({ name, label, entity }) => ({
    code: name,
    label,
    resource: entity.name,
    title: entity.title,
  }))
  serve(app, hookEventTree, async () => choices)
  if (app.config.demo) await app.register(hookSandbox, { prefix: hookSandboxPath })
  keepLooking(app, { name: 'sending webhooks', turn: signal => deliverDue(app, signal) })
  app.jobs.every({ name: 'hook-tidy', title: '清理推送记录', seconds: 3600, work: () => tidyDeliveries(app) })
}
