import { Alert, Button, Space } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT, useVerb } from '../../../../platform/i18n/i18n.ts'
import { claim, type RunDetail, unclaim } from '../../contract.ts'
import { useFlowAct } from '../acts.ts'
import { ActDialog, actNames, type TaskAct } from './ActDialog.tsx'
import { Decision, type Task } from './Decision.tsx'

interface Props {
  run: RunDetail
  task: Task
  onDone: () => void
}

/** Those with a button at the task; a signature is taken away where it stands. */
const order = (Object.keys(actNames) as TaskAct[]).filter(act => act !== 'removeSign')

/** Those whose act takes the task away from its person: there is nothing more to do on the page. */
const leaving = new Set<TaskAct>(['back', 'transfer', 'delegate', 'resolve', 'signBefore', 'signAfter'])

/** One of the caller's tasks: what the server lets them do with it, and nothing else. */
export function TaskCard({ run, task, onDone }: Props): ReactNode {
  const t = useT()
  const verb = useVerb()
  const [asked, ask] = useState<{ act: TaskAct; taskId: string }>()
  const take = useFlowAct(claim)
  const giveBack = useFlowAct(unclaim)
  const { taskId, acts, signs } = task
  return (
    <section className="flow-task" aria-label={t(task.taskName)}>
      <div className="leave-head">
        <h2>{t(task.taskName)}</h2>
        <Space wrap>
          {acts.includes('claim') && (
            <Button type="primary" loading={take.isPending} onClick={() => take.mutate({ taskId })}>
              {t('签收')}
            </Button>
          )}
          {acts.includes('unclaim') && (
            <Button loading={giveBack.isPending} onClick={() => giveBack.mutate({ taskId })}>
              {t('取消签收')}
            </Button>
          )}
          {order
            .filter(act => acts.includes(act))
            .map(act => (
              <Button key={act} onClick={() => ask({ act, taskId })}>
                {verb(actNames[act])}
              </Button>
            ))}
        </Space>
      </div>
      {signs.length > 0 && (
        <ul className="flow-signs" aria-label={t('加签')}>
          {signs.map(sign => (
            <li key={sign.taskId}>
              {t('等待{{name}}', { name: sign.assigneeName ?? '' })}{' '}
              <Button size="small" type="link" onClick={() => ask({ act: 'removeSign', taskId: sign.taskId })}>
                {verb(actNames.removeSign)}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {task.overdue && (
        <Alert
          type="warning"
          showIcon
          title={t('已超过办理期限 {{time}}', { time: task.dueTime ?? '' })}
          className="flow-problem"
        />
      )}
      {acts.includes('complete') && <Decision run={run} task={task} onDone={onDone} />}
      {asked && <ActDialog {...asked} onClose={() => ask(undefined)} {...(leaving.has(asked.act) && { onDone })} />}
    </section>
  )
}
