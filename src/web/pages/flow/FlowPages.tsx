import type { TableColumnType } from 'antd'
import { DictTag, DictText } from '../../fields/DictText.tsx'
import { t } from '../../i18n.ts'
import { FlowList, type FlowRow } from './FlowList.tsx'
import type { Way } from './RowActions.tsx'

type Columns = () => TableColumnType<FlowRow>[]

const text = (name: keyof FlowRow, title: string, width = 160): TableColumnType<FlowRow> => ({
  ...{ key: name, dataIndex: name, title: t(title), width, ellipsis: true },
})
const category = (): TableColumnType<FlowRow> => ({
  ...text('category', '流程分类', 130),
  render: (value: unknown) => <DictText code="flow" value={value} />,
})

/** A process that was deployed. */
const definitions: Columns = () => [
  text('processDefinitionName', '流程名称', 220),
  text('key', '流程标识'),
  category(),
  text('version', '版本', 90),
  {
    ...text('suspensionState', '状态', 110),
    render: (value: unknown) => <DictTag code="flow_state" value={value} />,
  },
  text('deployTime', '部署时间', 176),
]

/** A step of a process that runs or has run. */
const tasks: Columns = () => [
  text('processDefinitionName', '流程名称', 220),
  text('taskName', '当前步骤'),
  category(),
  text('assignee', '办理人'),
  text('createTime', '开始时间', 176),
  text('endTime', '结束时间', 176),
]

const page = (title: string, path: string, columns: Columns, way?: Way) => () => (
  <FlowList title={title} path={`/blade-flow/${path}`} columns={columns()} way={way} />
)

/** What a person may begin. */
export const StartPage = page('发起', 'work/start-list', definitions, 'form')
/** Tasks that wait for one of several people. */
export const ClaimPage = page('待签', 'work/claim-list', tasks, 'detail')
/** Tasks that wait for this person. */
export const TodoPage = page('待办', 'work/todo-list', tasks, 'handle')
/** What this person has begun. */
export const SendPage = page('已发', 'work/send-list', tasks, 'detail')
/** Tasks this person has done. */
export const DonePage = page('已办', 'work/done-list', tasks, 'detail')
/** Processes that were deployed. */
export const ManagerPage = page('部署', 'manager/list', definitions)
/** Processes that run, for whoever looks after them. */
export const FollowPage = page('跟踪', 'follow/list', tasks, 'detail')
