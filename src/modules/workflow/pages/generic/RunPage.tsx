import { Alert, Button, Card, Descriptions } from 'antd'
import { type ReactNode, useEffect } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { FlowRun } from '#schemas/dictionaries/platform'
import { call } from '../../../../platform/http/browser/call.ts'
import { sentence, useT } from '../../../../platform/i18n/i18n.ts'
import { DictTag } from '../../../../screens/fields/DictText.tsx'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { useSubject } from '../../../../screens/window/page-head.ts'
import { modelView, type RunDetail, readCopy, runDetail, runHistory } from '../../contract.ts'
import { Diagram } from '../DiagramDialog.tsx'
import { StepList } from '../StepList.tsx'
import { FormFacts } from './FormFacts.tsx'
import { isEmptyForm } from './form-resources.ts'
import { RunButtons } from './RunButtons.tsx'
import { TaskCard } from './TaskCard.tsx'
import '../flow.css'

function Standing({ of }: { of: RunDetail }): ReactNode {
  const t = useT()
  const steps = of.open.map(one => t(one.taskName))
  const items = [
    [t('申请人'), of.starterName],
    [t('发起时间'), of.createTime],
    [t('流程名称'), `${t(of.processDefinitionName)} · ${t('第{{n}}版', { n: of.processDefinitionVersion })}`],
    ...(of.endTime ? [[t('结束时间'), of.endTime]] : []),
  ] as const
  return (
    <>
      <p className="leave-standing">
        <DictTag code="flow_run" value={of.status} />
        {of.passState && <strong>{t(Number(of.passState) === 1 ? '同意' : '不同意')}</strong>}
        <strong>{[...new Set(steps)].join('、')}</strong>
      </p>
      {of.status === FlowRun.terminated && of.endReason && (
        <Alert
          type="warning"
          showIcon
          title={t('已终止：{{reason}}', { reason: t(of.endReason) })}
          className="flow-problem"
        />
      )}
      {of.incident && (
        <Alert
          type="error"
          showIcon
          title={t('流程异常：{{reason}}', { reason: sentence(of.incident) })}
          className="flow-problem"
        />
      )}
      <Descriptions
        size="small"
        column={{ xs: 1, sm: 2 }}
        items={items.map(([label, children]) => ({ key: label, label, children }))}
      />
    </>
  )
}

/** Who the open tasks wait for. */
function Waiting({ of }: { of: RunDetail }): ReactNode {
  const t = useT()
  if (of.open.length === 0) return null
  return (
    <>
      <h2>{t('等待办理')}</h2>
      <ul className="flow-waiting">
        {of.open.map(one => (
          <li key={one.taskId}>
            <strong>{t(one.taskName)}</strong> {one.assigneeName || one.candidates.join('、')}{' '}
            <DictTag code="flow_task_state" value={one.state} />{' '}
            {one.overdue && <span className="flow-wrong">{t('已超时')}</span>}
          </li>
        ))}
      </ul>
    </>
  )
}

function Way({ processInstanceId }: { processInstanceId: string }): ReactNode {
  const t = useT()
  const steps = useEndpoint(runHistory, { processInstanceId })
  const view = useEndpoint(modelView, { processInstanceId })
  return (
    <>
      <Card>
        <h2>{t('流程图')}</h2>
        {view.isError && <NoAnswer error={view.error} />}
        {view.data && <Diagram xml={view.data.xml} flow={view.data.flow} isDrawingOnly />}
      </Card>
      <Card>
        <h2>{t('流转记录')}</h2>
        {steps.isError && <NoAnswer error={steps.error} />}
        {steps.data && <StepList of={steps.data} />}
      </Card>
    </>
  )
}

/**
 * A process with what was filled in, where it stands, how it came there, and what the caller may do.
 * @param taskId the task that the page was opened for; without one the page is to look at, with what may still be done
 */
export function RunPage({ taskId }: { taskId?: string | undefined }): ReactNode {
  const t = useT()
  const go = useNavigate()
  const { processInstanceId = '' } = useParams()
  const found = useEndpoint(runDetail, { processInstanceId }, { pass: 'all' })
  const isThere = found.data !== undefined
  useSubject(found.data && (found.data.title || t(found.data.processDefinitionName)))
  useEffect(() => {
    // Whoever was told of it has seen it now.
    if (isThere) call(readCopy, { processInstanceId }, { pass: 'all' }).catch(() => undefined)
  }, [isThere, processInstanceId])
  if (found.isPending) return <PageSkeleton />
  const back = <Button onClick={() => void go(taskId ? '/work/todo' : '/work/send')}>{t('返回')}</Button>
  if (!found.data) return <NoAnswer error={found.error}>{back}</NoAnswer>
  const run = found.data
  const tasks = run.tasks.filter(task => taskId === undefined || task.taskId === taskId)
  const open = taskId && run.open.find(task => task.taskId === taskId)
  return (
    <div className="leave-page flow-page">
      <div className="leave-head">
        <div className="flow-buttons">
          <RunButtons run={run} />
          {run.parentProcessInstanceId && (
            <Link to={`/work/process/generic/detail/${run.parentProcessInstanceId}/${run.parentProcessInstanceId}`}>
              {t('上级流程')}
            </Link>
          )}
        </div>
      </div>
      <Card>
        <Standing of={run} />
        {!isEmptyForm(run.form) && (
          <div className="flow-facts">
            <FormFacts of={run.form} />
          </div>
        )}
      </Card>
      {taskId && tasks.length === 0 && (
        <Alert
          type="info"
          showIcon
          title={
            open
              ? t('这个任务由{{name}}办理', { name: open.assigneeName || open.candidates.join('、') })
              : t('这个任务已经办理')
          }
        />
      )}
      {tasks.map(task => (
        <TaskCard key={task.taskId} run={run} task={task} onDone={() => void go('/work/todo')} />
      ))}
      {run.open.length > 0 && (
        <Card>
          <Waiting of={run} />
        </Card>
      )}
      <Way processInstanceId={processInstanceId} />
    </div>
  )
}
