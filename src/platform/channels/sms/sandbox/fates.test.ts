import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { MsgStatus } from '#schemas/dictionaries'
import { Message } from '#schemas/notifications/message'
import { type TestApp, testApp } from '../../../../../tests/helper/app.ts'
import { morning } from '../../../../../tests/helper/pay-exam.ts'
import { insert } from '../../../../../tests/helper/sample.ts'
import { give, makeTemplate, program, sendOut } from '../../../../../tests/helper/send-bench.ts'
import { receiverOf } from '../../../../modules/messages/server/receivers.ts'
import { tellManyByText } from '../../../../modules/messages/server/tell.ts'

// What staff see of numbers that the sandbox has for trying out what may become of a message.

const tenantId = '000000'
let t: TestApp
beforeAll(async () => {
  t = await testApp({ now: morning })
})
afterAll(() => t?.close())
beforeEach(async () => {
  t.setNow(morning)
  await t.pool.query('TRUNCATE sms, sms_outbox, sendledger, send, sendmessage, message, work_item CASCADE')
  await give(t, 10)
})

const tell = async (phone: string, code: string) => {
  await makeTemplate(t, { smsCode: code, templateContent: '您的报名有结果' })
  const { id: messageId } = await insert(t.app, Message, { code, until: null, doneTime: null } as never)
  const receivers = [{ ...receiverOf(t.app, tenantId, phone, null, {}), messageId }]
  const now = t.app.now()
  await program(t)
    .transaction()
    .execute(trx =>
      tellManyByText(
        t.app,
        trx,
        { tenantId, now },
        { codes: [code], title: code, examId: null, receivers, runAt: now },
      ),
    )
  await sendOut(t)
}
const later = async (seconds: number) => {
  t.setNow(new Date(t.app.now().getTime() + seconds * 1000))
  await sendOut(t)
}
const seen = async () => {
  const row = await t.db.selectFrom('sendmessage').select(['msgStatus', 'errMsg']).executeTakeFirstOrThrow()
  const sent = await t.db.selectFrom('sms_outbox').select('id').execute()
  return [row.msgStatus, row.errMsg?.slice(0, 4) ?? null, sent.length]
}

test('9001: nobody can tell, and what need not be told is not repeated', async () => {
  await tell('13812349001', 'signup.passed')
  expect(await seen()).toEqual([MsgStatus.sending, null, 1])
  await later(66)
  expect(await seen()).toEqual([MsgStatus.failed, '结果不明', 1])
  await later(3600)
  expect(await seen()).toEqual([MsgStatus.failed, '结果不明', 1])
})

test('9001: what must be told goes once more after ten minutes', async () => {
  await tell('13812359001', 'signup.returned')
  await later(66)
  expect(await seen()).toEqual([MsgStatus.failed, '结果不明', 1])
  await later(601)
  expect(await seen()).toEqual([MsgStatus.sent, '首次发送', 2])
})

test('9002: the receipt comes two minutes late', async () => {
  await tell('13812349002', 'signup.passed')
  await later(66)
  expect(await seen()).toEqual([MsgStatus.sending, null, 1])
  await later(66)
  expect(await seen()).toEqual([MsgStatus.sent, null, 1])
})
