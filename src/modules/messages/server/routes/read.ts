import type { FastifyInstance } from 'fastify'
import { OnshelfStatus, SendStatus, SendType } from '#schemas/dictionaries'
import { resourceOf } from '../../../../crud/lookup.ts'
import { readPage } from '../../../../crud/query.ts'
import type { Query } from '../../../../crud/read.ts'
import { usableTemplates } from '../../../../platform/auth/server/sms/template.ts'
import { paramsOf, signed } from '../../../../platform/channels/sms/sms-text.ts'
import { withRemoved } from '../../../../platform/database/live.ts'
import { type Person, person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { jsonText, serve } from '../../../../platform/http/server/serve.ts'
import { textOf } from '../../../exams/server/routes/examination.ts'
import { messageTemplates } from '../../../notices/contract.ts'
import { packagesOnShelf, sendInfo, sendMessages, textCosts } from '../../contract.ts'
import { costsOf } from '../costs.ts'
import { balanceOf } from '../ledger.ts'
import { withoutAccount } from '../notices.ts'
import { type SendRow, sendInScope, type TextSource, templateOf } from '../rows.ts'

/** What the pages of messages read: packages, templates, one sending, its receivers. */
export function readRoutes(app: FastifyInstance): void {
  serve(app, packagesOnShelf, async ({ request }) =>
    liveAs(app, person(request))
      .selectFrom('sendpackages')
      .select(['id', 'packageName', 'num', 'price', 'validDays'])
      .where('packageStatus', '=', OnshelfStatus.onShelf)
      .orderBy('sort')
      .orderBy('id')
      .execute(),
  )
  serve(app, messageTemplates, async ({ request }) => {
    const rows = await usableTemplates(liveAs(app, person(request)))
    return rows.map(({ id, smsCode, signName, templateContent }) => ({
      id,
      smsCode,
      signName,
      templateContent,
      params: paramsOf(templateContent),
    }))
  })
  serve(app, textCosts, ({ query, request }) => costsOf(app, person(request), query))
  serve(app, sendInfo, async ({ values, request }) => infoOf(app, person(request), textOf(values, 'id')))
  serve(app, sendMessages, async ({ values, request }) => {
    const caller = person(request)
    const { id } = await sendInScope(app, caller, textOf(values, 'sendId'))
    const query = { ...values, sendId: id } as Query
    return jsonText(await readPage({ app, person: caller, resource: resourceOf('sendmessage') }, query))
  })
}

const previewOf = ({ sendType }: SendRow, { signName, templateContent }: TextSource): string =>
  sendType === SendType.inbox ? templateContent : signed(signName, templateContent)

/** A sending with what became of its messages, what it costs and what is there to pay it. */
async function infoOf(app: FastifyInstance, caller: Person, id: string) {
  const send = await sendInScope(app, caller, id)
  const db = liveAs(app, caller)
  const counts = await db
    .selectFrom('sendmessage')
    .where('sendId', '=', send.id)
    .groupBy('msgStatus')
    .select(eb => ['msgStatus', eb.fn.countAll<string>().as('n')])
    .execute()
  const template = await templateOf(db, send).catch(() => undefined)
  const wanted = await db
    .selectFrom(withRemoved('sendpackages as p'))
    .select(['p.packageName', 'p.num', 'p.price'])
    .where('p.id', '=', send.packageId ?? '0')
    .executeTakeFirst()
  const isTold = send.sendType !== SendType.sms && send.sendStatus >= SendStatus.sending
  const { tenantId: _t, isDeleted: _d, ...row } = send
  return {
    ...row,
    counts: Object.fromEntries(counts.map(one => [one.msgStatus, Number(one.n)])),
    noAccount: isTold ? await withoutAccount(db, send.id) : 0,
    balance: await balanceOf(db),
    preview: template ? previewOf(send, template) : '',
    params: template ? paramsOf(template.templateContent) : [],
    package: wanted,
  }
}
