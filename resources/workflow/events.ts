import { dateTime, entity, events, optional, text } from '#engine'
import type {} from '../audiences.ts'

/** Tasks of processes: rows of the engine's own, which no resource has. */
const flow = { name: 'flow', entity: entity('flow', '流程任务', {}) } as const

const task = {
  taskName: text('步骤'),
  processName: text('流程'),
  due: optional(dateTime('办理期限')),
}

/** What is told of tasks of processes. */
export const flowEvents = events(flow, {
  taskArrived: {
    label: '流程待办到达',
    to: ['task.doers'],
    data: task,
    by: { mail: false, wechat: 'result' },
    text: { zh: '有待办：{taskName}（{processName}）。', en: 'To do: {taskName} ({processName}).' },
    opens: '/work/todo',
    settles: ['flow.taskArrived', 'flow.taskOffered'],
  },
  taskOffered: {
    label: '流程待签到达',
    to: ['task.doers'],
    data: task,
    by: { mail: false, wechat: 'result' },
    text: { zh: '有待签：{taskName}（{processName}）。', en: 'To claim: {taskName} ({processName}).' },
    opens: '/work/claim',
    settles: ['flow.taskArrived', 'flow.taskOffered'],
  },
  taskEnded: {
    label: '流程任务结束',
    to: [],
    text: { zh: '流程任务已结束。', en: 'A task of a process has ended.' },
    opens: '/work/done',
    settles: ['flow.taskArrived', 'flow.taskOffered'],
  },
})
