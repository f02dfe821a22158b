import type { PageRoute } from '../route.ts'

const audience = 'candidate'

/** The candidate's pages. */
export const candidatePages: readonly PageRoute[] = [
  { path: '/wel/index', title: '首页', load: () => import('./home/HomePage.tsx'), access: 'signed-in', audience },
  { path: '/signup/examList', title: '考试报名', load: () => import('./exams/ExamListPage.tsx'), audience },
  {
    path: '/signup/exam/:examId',
    title: '选择岗位',
    load: () => import('./exams/ExamPage.tsx'),
    menu: '/signup/examList',
    audience,
  },
  {
    path: '/signup/form/:examId',
    title: '填写报名表',
    load: () => import('./form/FormPage.tsx'),
    menu: '/signup/examList',
    audience,
  },
  { path: '/signup/mySignup', title: '我的报名', load: () => import('./mine/MySignupPage.tsx'), audience },
  {
    path: '/signup/mySignup/:id',
    title: '报名详情',
    load: () => import('./mine/SignupPage.tsx'),
    menu: '/signup/mySignup',
    audience,
  },
  { path: '/signup/examPay', title: '缴费', load: () => import('./pay/PayPage.tsx'), access: 'signed-in', audience },
  { path: '/signup/ticket', title: '准考证', load: () => import('./ticket/TicketPage.tsx'), audience },
  { path: '/signup/score', title: '成绩', load: () => import('./score/ScorePage.tsx'), audience },
  { path: '/signup/notice', title: '通知', load: () => import('./notice/NoticeListPage.tsx'), audience },
  {
    path: '/signup/notice/:id',
    title: '通知',
    load: () => import('./notice/NoticePage.tsx'),
    menu: '/signup/notice',
    audience,
  },
  {
    path: '/info/owed',
    title: '请先完成',
    load: () => import('../info/OwedPage.tsx'),
    access: 'signed-in',
    frame: 'bare',
  },
  // Staff have no other page for their own data.
  { path: '/info/index', title: '个人信息', load: () => import('./info/InfoPage.tsx'), access: 'signed-in' },
]
