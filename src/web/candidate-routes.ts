import type { PageRoute } from '../screens/parts/route.ts'

const audience = 'candidate'

/** The candidate's pages. */
export const candidatePages: readonly PageRoute[] = [
  {
    path: '/wel/index',
    title: '首页',
    load: () => import('../modules/desk/pages/candidate/HomePage.tsx'),
    access: 'signed-in',
    audience,
  },
  {
    path: '/signup/examList',
    title: '考试报名',
    load: () => import('../modules/sign-up/pages/exams/ExamListPage.tsx'),
    audience,
  },
  {
    path: '/signup/exam/:examId',
    title: '选择岗位',
    load: () => import('../modules/sign-up/pages/exams/ExamPage.tsx'),
    menu: '/signup/examList',
    audience,
  },
  {
    path: '/signup/form/:examId',
    title: '填写报名表',
    load: () => import('../modules/sign-up/pages/form/FormPage.tsx'),
    menu: '/signup/examList',
    audience,
  },
  {
    path: '/signup/mySignup',
    title: '我的报名',
    load: () => import('../modules/sign-up/pages/mine/MySignupPage.tsx'),
    audience,
  },
  {
    path: '/signup/mySignup/:id',
    title: '报名详情',
    load: () => import('./SignupPage.tsx'),
    menu: '/signup/mySignup',
    audience,
  },
  {
    path: '/signup/examPay',
    title: '缴费',
    load: () => import('../modules/payment/pages/candidate/PayPage.tsx'),
    access: 'signed-in',
    audience,
  },
  {
    path: '/signup/ticket',
    title: '准考证',
    load: () => import('../modules/tickets/pages/candidate/TicketPage.tsx'),
    audience,
  },
  {
    path: '/signup/score',
    title: '成绩',
    load: () => import('../modules/results/pages/candidate/ScorePage.tsx'),
    audience,
  },
  {
    path: '/signup/notice',
    title: '消息',
    load: () => import('../modules/notifications/pages/InboxPage.tsx'),
    audience,
  },
  {
    path: '/signup/notice/:id',
    title: '通知',
    load: () => import('../modules/notices/pages/candidate/NoticePage.tsx'),
    menu: '/signup/notice',
    audience,
  },
  {
    path: '/info/owed',
    title: '请先完成',
    load: () => import('../platform/accounts/pages/own/OwedPage.tsx'),
    access: 'signed-in',
    frame: 'bare',
  },
  {
    path: '/info/data',
    title: '我的数据',
    load: () => import('../modules/privacy/pages/candidate/DataPage.tsx'),
    menu: '/info/index',
    audience,
  },
  // Staff have no other page for their own data.
  {
    path: '/info/index',
    title: '个人信息',
    load: () => import('../platform/accounts/pages/candidate/InfoPage.tsx'),
    access: 'signed-in',
    heading: 'own',
  },
]
