import type { PageRoute } from '../../../screens/parts/route.ts'

const signedIn = { access: 'signed-in', audience: 'staff' } as const

/** The lists of processes and tasks are one file. */
const lists = () => import('./FlowPages.tsx')

type Lists = Awaited<ReturnType<typeof lists>>

/** Loads one of its pages. */
const list = (page: keyof Lists) => async () => ({ default: (await lists())[page] })

/** Workflow: what can be begun, what waits, what was done, and the processes themselves. */
export const flowPages: readonly PageRoute[] = [
  { path: '/work/start', title: '发起', load: list('StartPage') },
  { path: '/work/claim', title: '待签', load: list('ClaimPage') },
  { path: '/work/todo', title: '待办', load: list('TodoPage') },
  {
    path: '/work/send',
    title: '我发起的',
    load: list('SendPage'),
  },
  { path: '/work/done', title: '已办', load: list('DonePage') },
  {
    path: '/work/copy',
    title: '抄送我的',
    load: list('CopyPage'),
  },
  {
    path: '/flow/manager',
    title: '部署',
    load: list('ManagerPage'),
  },
  {
    path: '/flow/follow',
    title: '跟踪',
    load: list('FollowPage'),
  },
  { path: '/flow/model', title: '流程模型', load: () => import('./ModelPage.tsx') },
  {
    path: '/flow/model/draw/:modelId',
    title: '绘制流程',
    load: () => import('./modeler/ModelerPage.tsx'),
    menu: '/flow/model',
    audience: 'staff',
    oneTab: true,
    heading: 'own',
  },
  {
    path: '/work/process/leave/form/:processDefinitionId',
    title: '请假申请',
    load: () => import('./LeaveFormPage.tsx'),
    menu: '/work/start',
    ...signedIn,
  },
  {
    path: '/work/process/leave/handle/:taskId/:processInstanceId/:businessId',
    title: '请假审批',
    load: () => import('./LeaveHandlePage.tsx'),
    menu: '/work/todo',
    ...signedIn,
  },
  {
    path: '/work/process/leave/detail/:processInstanceId/:businessId',
    title: '请假详情',
    load: () => import('./LeaveDetailPage.tsx'),
    menu: '/work/send',
    ...signedIn,
  },
  {
    path: '/work/process/generic/form/:processDefinitionId',
    title: '发起流程',
    load: () => import('./generic/GenericFormPage.tsx'),
    menu: '/work/start',
    ...signedIn,
  },
  {
    path: '/work/process/generic/handle/:taskId/:processInstanceId/:businessId',
    title: '办理流程',
    load: () => import('./generic/GenericHandlePage.tsx'),
    menu: '/work/todo',
    ...signedIn,
  },
  {
    path: '/work/process/generic/detail/:processInstanceId/:businessId',
    title: '流程详情',
    load: () => import('./generic/GenericDetailPage.tsx'),
    menu: '/work/send',
    ...signedIn,
  },
]
