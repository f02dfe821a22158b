import { ExampayStatus, OrderStatus, PayBizType, PayChannelNo, PayState, ReleaseStatus } from '#schemas/dictionaries'
import { updateTotals } from '../modules/payment/server/ledger.ts'
import type { Reader } from '../platform/database/database.ts'
import { liveFor } from '../platform/database/live.ts'
import type { Demo, DemoExam } from './exams.ts'
import type { MadeSignup } from './sign-ups.ts'

const fee = 10_000

/** The fee of an exam's written test: a draft while its sign-up runs, released or over for the others. */
async function makeSetting({ db, tenantId, now, staff }: Demo, exam: DemoExam, payStatus: 0 | 1 | 2): Promise<string> {
  const [startTime, endTime] = [exam.times.payStartTime as Date, exam.times.payEndTime as Date]
  const values = {
    tenantId,
    examId: exam.id,
    itemId: exam.itemId,
    payName: '笔试考务费',
    amount: fee,
    startTime,
    endTime,
    basis: '价费字〔2024〕1号',
    payStatus,
  }
  const { id } = await db
    .insertInto('exampay')
    .values({
      ...values,
      releaseTime: payStatus ? startTime : null,
      createUser: staff.caiwu,
      createTime: now,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (payStatus)
    await db
      .updateTable('examinationitem')
      .set({ payRelease: ReleaseStatus.released })
      .where('id', '=', exam.itemId)
      .execute()
  return id
}

type State = 0 | 1 | 2 | 5

/** Who has paid: most have, some are exempt, and in an open window some still owe, the first candidate among them. */
function stateOf(i: number, open: boolean): State {
  if (open && i % 6 === 0) return PayState.due
  if (i % 40 === 7) return PayState.exempt
  return !open && i % 9 === 8 ? PayState.closed : PayState.paid
}

/** Makes what everybody who passed owes, with the orders of those who paid. @returns who may take the test */
export async function makePayments(
  demo: Demo,
  exam: DemoExam,
  signups: readonly MadeSignup[],
  payStatus: 0 | 1 | 2,
): Promise<void> {
  const { db, tenantId, now, staff } = demo
  const exampayId = await makeSetting(demo, exam, payStatus)
  if (!payStatus) return
  const main = await db
    .insertInto('payrecordmain')
    .values({
      tenantId,
      examId: exam.id,
      itemId: exam.itemId,
      exampayId,
      mainName: '笔试考务费',
      mainStatus: payStatus,
      createUser: staff.caiwu,
      createTime: now,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const passed = signups.filter(one => one.standing === 'passed')
  const states = new Map(passed.map((one, i) => [one.id, stateOf(i, payStatus === ExampayStatus.released)]))
  const records = await insertRecords(db, { tenantId, exam, mainId: main.id, states, now })
  await insertOrders(demo, exam, records)
  for (const state of [PayState.paid, PayState.exempt, PayState.closed]) {
    const ids = [...states].filter(([, one]) => one === state).map(([id]) => id)
    for (let at = 0; at < ids.length; at += 10_000)
      await db
        .updateTable('signup')
        .set({ payState: state })
        .where('id', 'in', ids.slice(at, at + 10_000))
        .execute()
  }
  await updateTotals(liveFor(db, { tenantId, userId: null, now: () => now }), main.id)
}

interface Batch {
  tenantId: string
  exam: DemoExam
  mainId: string
  states: ReadonlyMap<string, State>
  now: Date
}

async function insertRecords(db: Reader, { tenantId, exam, mainId, states, now }: Batch) {
  const people = await db
    .selectFrom('signup')
    .select([
      'id',
      'userId',
      'name',
      'idCard',
      'idCardHash',
      'idCardMask',
      'phone',
      'phoneHash',
      'phoneMask',
      'unit',
      'code',
    ])
    .where('examId', '=', exam.id)
    .orderBy('id')
    .execute()
  const rows = people.flatMap(({ id, phone, ...one }, i) => {
    const payState = states.get(id)
    if (payState === undefined) return []
    const payTime =
      payState === PayState.paid ? new Date((exam.times.payStartTime as Date).getTime() + (i % 50) * 3_000_000) : null
    const paid = payTime && payTime < now ? payTime : payTime && new Date(now.getTime() - 1_800_000)
    return [
      {
        ...one,
        phone: phone ?? '',
        tenantId,
        examId: exam.id,
        itemId: exam.itemId,
        mainId,
        signupId: id,
        amount: fee,
        payState,
        payTime: paid,
        channel: payState === PayState.paid ? PayChannelNo.simulated : null,
        exemptReason: payState === PayState.exempt ? '城乡低保家庭' : null,
        createTime: now,
        updateTime: now,
      },
    ]
  })
  const made: { id: string; userId: string; payState: number; payTime: Date | null }[] = []
  for (let at = 0; at < rows.length; at += 1000)
    made.push(
      ...(await db
        .insertInto('payrecord')
        .values(rows.slice(at, at + 1000))
        .returning(['id', 'userId', 'payState', 'payTime'])
        .execute()),
    )
  return made
}

async function insertOrders(
  { db, tenantId, now }: Demo,
  exam: DemoExam,
  records: Awaited<ReturnType<typeof insertRecords>>,
): Promise<void> {
  const rows = records.flatMap(({ id, userId, payState, payTime }, i) => {
    if (payState !== PayState.paid || !payTime) return []
    const orderNo = `${exam.code}${String(i).padStart(8, '0')}`
    return [
      {
        tenantId,
        orderNo,
        bizType: PayBizType.examFee,
        bizId: id,
        userId,
        body: '笔试考务费',
        amount: fee,
        channel: PayChannelNo.simulated,
        expireTime: new Date(payTime.getTime() + 7_200_000),
        orderStatus: OrderStatus.paid,
        transactionId: `42000${orderNo}`,
        payTime,
        notifyTime: payTime,
        createUser: userId,
        createTime: payTime,
        updateTime: now,
      },
    ]
  })
  for (let at = 0; at < rows.length; at += 1000) {
    const made = await db
      .insertInto('payorder')
      .values(rows.slice(at, at + 1000))
      .returning(['id', 'bizId'])
      .execute()
    await db
      .updateTable('payrecord')
      .from('payorder')
      .set(eb => ({ payOrderId: eb.ref('payorder.id') }))
      .whereRef('payorder.bizId', '=', 'payrecord.id')
      .where(
        'payorder.id',
        'in',
        made.map(one => one.id),
      )
      .execute()
  }
}
