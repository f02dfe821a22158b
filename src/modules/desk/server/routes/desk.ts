import type { FastifyInstance } from 'fastify'
import { person } from '../../../../platform/http/server/access.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { deskDashboard, staffDesk, systemHealth, tickStartStep } from '../../contract.ts'
import { dashboard } from '../dashboard.ts'
import { digestDue } from '../digest.ts'
import { staffHome } from '../staff-home.ts'
import { tickStep } from '../start-list.ts'
import { systemHealth as readSystemHealth } from '../system-health.ts'

/** What people meet first, and what staff are told of it each morning. */
export default async function deskRoutes(app: FastifyInstance): Promise<void> {
  serve(app, staffDesk, ({ request }) => staffHome(app, person(request)))
  serve(app, tickStartStep, ({ body, request }) => tickStep(app, person(request), body))
  serve(app, systemHealth, ({ request }) => readSystemHealth(app, person(request)))
  serve(app, deskDashboard, ({ request }) => dashboard(app, person(request)))
  app.jobs.every({ name: 'digest', title: '每日待办邮件', seconds: 600, work: signal => digestDue(app, signal) })
}
