import type { FastifyInstance } from 'fastify'
import { OnshelfStatus, SendStatus, SendType } from '#schemas/dictionaries'
import { type Query, readPage } from '../../../../crud/query.ts'
import { resourceOf } from '../../../../crud/scope.ts'
import { usableTemplates } from '../../../../platform/auth/server/sms/template.ts'
import { paramsOf, signed } from '../../../../platform/channels/sms/sms-text.ts'
import { type Person, person } from '../../../../platform/http/server/access.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { textOf } from '../../../exams/server/routes/examination.ts'
import { messageTemplates } from '../../../notices/contract.ts'
import { packagesOnShelf, sendInfo, sendMessages } from '../../contract.ts'
import { balanceOf } from '../ledger.ts'
import { withoutAccount } from '../notices.ts'
import { type SendRow, sendInScope, type TextSource, templateOf } from '../rows.ts'

/** What the pages of messages read: packages, templates, one sending, its receivers. */
export function readRoutes(app: FastifyInstance): void {
  serve(app, packagesOnShelf, async ({ request }) =>
    app.db
      .selectFrom('sendpackages')
      .select(['id', 'packageName', 'num', 'price', 'validDays'])
      .where('tenantId', '=', person(request).tenantId)
      .where('packageStatus', '=', OnshelfStatus.onShelf)
      .where('isDeleted', '=', 0)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  )
  serve(app, messageTemplates, async ({ request }) => {
    const rows = await usableTemplates(app.db, person(request).tenantId)
    return rows.map(({ id, smsCode, signName, templateContent }) => ({
      id,
      smsCode,
      signName,
      templateContent,
      params: paramsOf(templateContent),
    }))
  })
  serve(app, sendInfo, async ({ values, request }) => infoOf(app, person(request), textOf(values, 'id')))
  serve(app, sendMessages, async ({ values, request }) => {
    const caller = person(request)
    const { id } = await sendInScope(app, caller, textOf(values, 'sendId'))
    const query = { ...values, sendId: id } as Query
    return JSON.parse(await readPage({ app, person: caller, resource: resourceOf('sendmessage') }, query))
  })
}

const previewOf = ({ sendType }: SendRow, { signName, templateContent }: TextSource): string =>
  sendType === SendType.inbox ? templateContent : signed(signName, templateContent)

/** A sending with what became of its messages, what it costs and what is there to pay it. */
async function infoOf(app: FastifyInstance, caller: Person, id: string) {
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
    ...row,
    counts: Object.fromEntries(counts.map(one => [one.msgStatus, Number(one.n)])),
    noAccount: isTold ? await withoutAccount(app.db, send.id) : 0,
    balance: await balanceOf(app.db, send.tenantId),
    preview: template ? previewOf(send, template) : '',
    params: template ? paramsOf(template.templateContent) : [],
    package: wanted,
  }
}
