import { type TableColumnType, Tag } from 'antd'
import { sentence, t } from '../../../platform/i18n/i18n.ts'
import { DictTag, DictText } from '../../../screens/fields/DictText.tsx'
import {
  allRuns,
  claimable,
  copies,
  deployedProcesses,
  doneTasks,
  ownRuns,
  startable,
  waitingTasks,
} from '../contract.ts'
import { DeploymentActs } from './DeploymentActs.tsx'
import { FlowList, type FlowListProps } from './FlowList.tsx'
import type { FlowRow } from './flow-row.ts'
import { ClaimButton, EndButton, RetryButton } from './RunActs.tsx'
import { UploadButton } from './UploadButton.tsx'

type Columns = () => TableColumnType<FlowRow>[]

const text = (name: keyof FlowRow, title: string, width = 160): TableColumnType<FlowRow> => ({
  key: name,
  dataIndex: name,
  title: t(title),
  width,
  ellipsis: true,
})
/** What a process is about, marked where it cannot go on or is late. */
const title = (): TableColumnType<FlowRow> => ({
  ...text('title', '标题', 220),
  render: (value: string, row) => (
    <>
      <span className="flow-title">{value || t(row.processDefinitionName)}</span>
      {row.incident && (
        <Tag color="error" title={sentence(row.incident)}>
          {t('异常')}
        </Tag>
      )}
      {row.overdue && <Tag color="warning">{t('超时')}</Tag>}
      {Boolean(row.urgeCount) && <Tag>{t('催办 {{n}} 次', { n: row.urgeCount })}</Tag>}
    </>
  ),
})
/** A name that stands in a model. Those of the models we bring have English. */
const named = (
  name: 'processDefinitionName' | 'taskName',
  title: string,
  width?: number,
): TableColumnType<FlowRow> => ({
  ...text(name, title, width),
  render: (value: string) => value && t(value),
})
const category = (): TableColumnType<FlowRow> => ({
  ...text('category', '流程分类', 130),
  render: (value: unknown) => <DictText code="flow" value={value} />,
})
const state = (name: keyof FlowRow, code: string): TableColumnType<FlowRow> => ({
  ...text(name, '状态', 110),
  render: (value: unknown) => <DictTag code={code} value={value} />,
})

/** A process that was deployed. */
const offered: Columns = () => [
  named('processDefinitionName', '流程名称', 220),
  text('key', '流程标识'),
  category(),
  text('version', '版本', 90),
  text('deployTime', '部署时间', 176),
]
const deployed: Columns = () => [...offered(), state('suspensionState', 'flow_state')]

/** A step that waits. */
const waiting: Columns = () => [
  title(),
  named('processDefinitionName', '流程名称'),
  named('taskName', '当前步骤'),
  category(),
  text('starterName', '申请人'),
  text('createTime', '到达时间', 176),
  text('dueTime', '办理期限', 176),
]

/** A run, or a step of it that is over. */
const runs: Columns = () => [
  title(),
  named('processDefinitionName', '流程名称', 150),
  {
    ...text('taskName', '最近步骤', 160),
    render: (value: string) =>
      value
        ?.split('、')
        .map(one => t(one))
        .join('、'),
  },
  text('starterName', '申请人', 110),
  text('assigneeName', '办理人', 110),
  state('status', 'flow_run'),
  text('createTime', '开始时间', 176),
  text('endTime', '结束时间', 176),
]

const copied: Columns = () => [...runs(), text('readTime', '阅读时间', 176)]

const page = (columns: Columns, props: Omit<FlowListProps, 'columns'>) => () => (
  <FlowList {...props} columns={columns()} />
)

/** What a person may begin. */
export const StartPage = page(offered, {
  title: '发起',
  list: startable,
  way: 'form',
  empty: '没有可以发起的流程',
})
/** Tasks that wait for one of several people. */
export const ClaimPage = page(waiting, {
  title: '待签',
  list: claimable,
  way: 'detail',
  empty: '没有等待签收的任务',
  more: row => <ClaimButton row={row} />,
})
/** Tasks that wait for this person. */
export const TodoPage = page(waiting, {
  title: '待办',
  list: waitingTasks,
  way: 'handle',
  empty: '没有等您办理的任务',
})
/** What this person has begun. */
export const SendPage = page(runs, {
  title: '我发起的',
  list: ownRuns,
  way: 'detail',
  empty: '您还没有发起过流程',
})
/** Tasks this person has done. */
export const DonePage = page(runs, {
  title: '已办',
  list: doneTasks,
  way: 'detail',
  empty: '您还没有办理过任务',
})
/** What others have done or begun and wanted this person to know. */
export const CopyPage = page(copied, {
  title: '抄送我的',
  list: copies,
  way: 'detail',
  empty: '没有抄送给您的流程',
})
/** Processes that were deployed. */
export const ManagerPage = page(deployed, {
  title: '部署',
  list: deployedProcesses,
  empty: '还没有部署流程',
  more: ({ id, suspensionState, processDefinitionName }) =>
    id && suspensionState && <DeploymentActs row={{ id, suspensionState, processDefinitionName }} />,
  tools: <UploadButton />,
})
/** Processes that run or have run, for whoever looks after them. */
export const FollowPage = page(runs, {
  title: '跟踪',
  list: allRuns,
  way: 'detail',
  empty: '还没有流程运行过',
  hasIncidents: true,
  more: row => (
    <>
      <RetryButton row={row} />
      <EndButton row={row} />
    </>
  ),
})
