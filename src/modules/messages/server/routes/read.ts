import type { FastifyInstance } from 'fastify'
import { OnshelfStatus, SendStatus, SendType } from '#schemas/dictionaries'
import { type Query, readPage } from '../../../../crud/query.ts'
import { resourceOf } from '../../../../crud/scope.ts'
import { usableTemplates } from '../../../../platform/auth/server/sms/template.ts'
import { paramsOf, signed } from '../../../../platform/channels/sms/sms-text.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { wire } from '../../../../platform/http/server/wire.ts'
import { textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { balanceOf } from '../ledger.ts'
import { withoutAccount } from '../notices.ts'
import { type SendRow, sendInScope, type TextSource, templateOf } from '../rows.ts'

const base = '/api/blade-send/send'
const either = ['GET', 'POST'] as ['GET', 'POST']
const config = { access: { permission: 'send' } }

/** What the pages of messages read: packages, templates, one sending, its receivers. */
export async function readRoutes(app: FastifyInstance): Promise<void> {
  app.route({
    method: either,
    url: `${base}/getSendPackages`,
    config,
    handler: async request => {
      const rows = await app.db
        .selectFrom('sendpackages')
        .select(['id', 'packageName', 'num', 'price', 'validDays'])
        .where('tenantId', '=', person(request).tenantId)
        .where('packageStatus', '=', OnshelfStatus.onShelf)
        .where('isDeleted', '=', 0)
        .orderBy('sort')
        .orderBy('id')
        .execute()
      return ok(wire(rows))
    },
  })
  app.route({
    method: either,
    url: `${base}/getSendTemplate`,
    config,
    handler: async request => {
      const rows = await usableTemplates(app.db, person(request).tenantId)
      return ok(
        rows.map(({ id, smsCode, signName, templateContent }) => ({
          id,
          smsCode,
          signName,
          templateContent,
          params: paramsOf(templateContent),
        })),
      )
    },
  })
  app.route({
    method: either,
    url: `${base}/getSendInfo`,
    config,
    handler: async request => ok(await infoOf(app, person(request), textOf(valuesOf(request), 'id'))),
  })
  app.route({
    method: either,
    url: `${base}/getMessages`,
    config,
    handler: async (request, reply) => {
      const caller = person(request)
      const { id } = await sendInScope(app, caller, textOf(valuesOf(request), 'sendId'))
      const query = { ...valuesOf(request), sendId: id } as Query
      const data = await readPage({ app, person: caller, resource: resourceOf('sendmessage') }, query)
      return reply
        .type('application/json; charset=utf-8')
        .send(`{"code":200,"success":true,"data":${data},"msg":"操作成功"}`)
    },
  })
}

const previewOf = ({ sendType }: SendRow, { signName, templateContent }: TextSource): string =>
  sendType === SendType.inbox ? templateContent : signed(signName, templateContent)

/** A sending with what became of its messages, what it costs and what is there to pay it. */
async function infoOf(app: FastifyInstance, caller: ReturnType<typeof person>, id: string) {
  const send = await sendInScope(app, caller, id)
  const counts = await app.db
    .selectFrom('sendmessage')
    .where('sendId', '=', send.id)
    .where('isDeleted', '=', 0)
    .groupBy('msgStatus')
    .select(eb => ['msgStatus', eb.fn.countAll<string>().as('n')])
    .execute()
  const template = await templateOf(app.db, send).catch(() => undefined)
  const wanted = await app.db
    .selectFrom('sendpackages')
    .select(['packageName', 'num', 'price'])
    .where('id', '=', send.packageId ?? '0')
    .executeTakeFirst()
  const isTold = send.sendType !== SendType.sms && send.sendStatus >= SendStatus.sending
  const { tenantId: _t, isDeleted: _d, ...row } = send
  return {
    ...(wire(row) as Record<string, unknown>),
    counts: Object.fromEntries(counts.map(one => [one.msgStatus, Number(one.n)])),
    noAccount: isTold ? await withoutAccount(app.db, send.id) : 0,
    balance: await balanceOf(app.db, send.tenantId),
    preview: template ? previewOf(send, template) : '',
    params: template ? paramsOf(template.templateContent) : [],
    package: wanted ? wire(wanted) : '',
  }
}
