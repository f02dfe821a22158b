import type { FastifyInstance } from 'fastify'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { dashboard } from '../dashboard.ts'
import { staffHome } from '../staff-home.ts'
import { tickStep } from '../start-list.ts'

/** What people meet first. */
export default async function deskRoutes(app: FastifyInstance): Promise<void> {
  app.get(
    '/api/blade-desk/home/staff',
    { config: { access: 'staff' }, schema: { summary: '工作人员首页：待办与进行中的考试' } },
    async request => ok(await staffHome(app, person(request))),
  )
  app.post<{ Body: { code: string; done: boolean } }>(
    '/api/blade-desk/home/start-step',
    {
      config: { access: { permission: 'param_edit' } },
      schema: {
        summary: '开始清单：勾选或取消一步，* 为收起清单',
        body: {
          type: 'object',
          required: ['code', 'done'],
          properties: { code: { type: 'string', maxLength: 40 }, done: { type: 'boolean' } },
        },
      },
    },
    async request => {
      await tickStep(app, person(request), request.body)
      return ok()
    },
  )
  app.get(
    '/api/blade-desk/home/dashboard',
    { config: { access: 'staff' }, schema: { summary: '数据看板：待办、考试、今日、近期截止与系统状况' } },
    async request => ok(await dashboard(app, person(request))),
  )
}
