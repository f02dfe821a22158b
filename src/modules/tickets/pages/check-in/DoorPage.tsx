import { ScanOutlined } from '@ant-design/icons'
import { Alert, App, Button, Result } from 'antd'
import { useEffect, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import { AttendStatus } from '#schemas/dictionaries/exam'
import { timeOf } from '../../../../platform/http/browser/clock.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { tellError } from '../../../../screens/window/toasts.tsx'
import { Conflicts } from './Conflicts.tsx'
import './checkin.css'
import { DoorHead } from './DoorHead.tsx'
import type { DoorState } from './door.ts'
import { People } from './People.tsx'
import { PersonSheet } from './PersonSheet.tsx'
import { peopleOf } from './roster.ts'
import { Scanner } from './Scanner.tsx'
import { judgeCode, judgeTyped, type Verdict } from './scan.ts'
import type { KeptBundle, Noted } from './types.ts'
import { useDoor } from './use-door.ts'
import { verdictText } from './words.ts'

type Turned = Exclude<Verdict, { kind: 'person' }>
type Refused = DoorState['refusal']

/** The time, looked at often enough to notice that the entry has closed. */
function useMinute(): void {
  const [, turn] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => turn(n => n + 1), 15_000)
    return () => clearInterval(timer)
  }, [])
}

/** The server's code for what is not there, or not the person's. */
const notMine = REFUSAL.row.notFound

/** Nothing to show: why, and what to do. */
function Nothing({ refusal, broken, onRetry }: { refusal: Refused; broken: boolean; onRetry: () => void }) {
  const t = useT()
  const why = broken
    ? t('此浏览器不允许保存数据，不能签到。请关闭无痕模式后再打开。')
    : refusal?.code === notMine
      ? t('这个考场不由您负责，或安排已经取消。请联系考务管理员。')
      : (refusal?.text ?? t('没有网络，本机也没有保存本考场的名单。请在有网络的地方打开一次。'))
  return (
    <Result
      status="warning"
      title={why}
      extra={[
        <Button key="retry" size="large" type="primary" onClick={onRetry}>
          {t('重试')}
        </Button>,
        <Link key="back" to="/ticket/checkin">
          <Button size="large">{t('返回考场列表')}</Button>
        </Link>,
      ]}
    />
  )
}

/** What a scan or a typed number turned out to be, when it lets nobody in. */
function Refusal({ of, onClose }: { of: Turned; onClose: () => void }) {
  const t = useT()
  const { title, hint } = verdictText(of, t)
  return (
    <div className="door-refusal" role="alert">
      <strong>{title}</strong>
      <p>{hint}</p>
      <Button size="large" block onClick={onClose}>
        {t('知道了')}
      </Button>
    </div>
  )
}

/** What is going on beside the list. */
type Task = { kind: 'scan' } | { kind: 'person'; ticketId: string; code?: string } | Turned

/** The door of a room on the day of an exam, made for a phone in one hand and a network that comes and goes. */
export default function DoorPage() {
  const t = useT()
  useMinute()
  const { modal, message } = App.useApp()
  const { roomId = '' } = useParams()
  const rehearsal = useSearchParams()[0].has('rehearsal')
  const { door, state, broken } = useDoor(roomId, rehearsal)
  const [task, setTask] = useState<Task>()
  const end = (): void => setTask(undefined)
  const { bundle } = state
  const people = peopleOf(state)
  const closed = !rehearsal && bundle !== null && door.now() >= timeOf(bundle.room.latestTime)
  const missing = people.filter(one => one.attend === AttendStatus.unrecorded)

  const note = (noted: Noted[]): void => {
    door.note(noted).then(
      () => {
        end()
        void door.flush()
      },
      () => tellError(message, t('本机保存失败，未登记。请检查存储空间后重试。')),
    )
  }
  const read = async (text: string, from: KeptBundle): Promise<void> =>
    setTask(text.startsWith('JX1:') ? await judgeCode(text, from) : judgeTyped(text, from))
  const closeEntry = (): void =>
    void modal.confirm({
      title: t('登记 {{n}} 人缺考?', { n: missing.length }),
      content: t('入场已截止，未到的考生全部登记为缺考。登记错误的可以逐人撤销。'),
      onOk: () => note(missing.map(({ ticketId }) => ({ ticketId, kind: 'absent' }))),
    })

  if (!state.ready && !broken) return <PageSkeleton />
  const chosen = task?.kind === 'person' ? people.find(one => one.ticketId === task.ticketId) : undefined
  return (
    <main className="door">
      <DoorHead door={door} state={state} />
      {!bundle ? (
        <Nothing refusal={state.refusal} broken={broken} onRetry={() => void door.refresh()} />
      ) : (
        <>
          {state.refusal && <Alert type="error" showIcon title={state.refusal.text} />}
          {rehearsal && (
            <Alert
              type="warning"
              showIcon
              title={t('演练：这里的登记不计入考试，正式签到开始时自动清除。')}
              description={t('到考和缺考随时都可以练习登记。')}
            />
          )}
          <Conflicts door={door} state={state} />
          <People people={people} onChoose={({ ticketId }) => setTask({ kind: 'person', ticketId })} />
          <footer className="door-foot">
            {closed && missing.length > 0 && (
              <Button size="large" danger onClick={closeEntry}>
                {t('{{n}} 人缺考', { n: missing.length })}
              </Button>
            )}
            <Button
              size="large"
              type="primary"
              icon={<ScanOutlined aria-hidden />}
              onClick={() => setTask({ kind: 'scan' })}
            >
              {t('扫码签到')}
            </Button>
          </footer>
        </>
      )}
      {bundle && task?.kind === 'scan' && <Scanner onRead={text => void read(text, bundle)} onClose={end} />}
      {chosen && task?.kind === 'person' && (
        <PersonSheet
          person={chosen}
          {...(task.code ? { code: task.code } : {})}
          closed={closed}
          absence={closed || rehearsal}
          onNote={note}
          onClose={end}
        />
      )}
      {task && task.kind !== 'scan' && task.kind !== 'person' && <Refusal of={task} onClose={end} />}
    </main>
  )
}
