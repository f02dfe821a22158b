import { dateTime, events, integer, text } from '#engine'
import type {} from '../audiences.ts'
import { datarequest } from './datarequest.ts'
import { user } from './user.ts'
import { userupdateinfo } from './userupdateinfo.ts'

/** What people are told of their own accounts. */
export const userEvents = events(user, {
  registered: {
    label: '注册成功',
    to: ['owner'],
    fields: ['account'],
    by: { mail: false },
    text: {
      zh: '注册成功，账号{account}。请登录后查看公告并报名。',
      en: 'Registered as {account}. Sign in to see the announcements and sign up.',
    },
    opens: '/signup/examList',
  },
  passed: {
    label: '注册审核通过',
    to: ['owner'],
    by: { sms: true, mail: true, wechat: 'account' },
    text: {
      zh: '您的注册已审核通过，现在可以登录报名。',
      en: 'Your registration is approved. You can sign in and apply now.',
    },
    opens: '/signup/examList',
  },
  refused: {
    label: '注册未通过',
    to: ['applicant'],
    by: { sms: true, mail: true },
    text: {
      zh: '您的注册未通过审核，登录时可见原因；可用原证件号码重新注册。',
      en: 'Your registration was not approved. Sign in to see why; you may register again with the same ID number.',
    },
    opens: '/register',
  },
  passwordReset: {
    label: '密码被重置',
    to: ['owner'],
    by: { sms: 'must', mail: true },
    urgent: true,
    text: {
      zh: '您的登录密码已由工作人员重置，首次登录须修改。非本人要求请联系管理员{phone}。',
      en: 'Staff reset your password; change it at the next sign-in. Not your wish? Call the administrators {phone}.',
    },
    opens: '/info/index',
  },
  contactChanged: {
    label: '联系方式变更',
    to: ['owner'],
    data: { what: text('变更项') },
    phrases: {
      what: {
        phone: { zh: '手机号码', en: 'phone number' },
        email: { zh: '邮箱', en: 'e-mail address' },
        wechat: { zh: '绑定的微信', en: 'bound WeChat' },
      },
    },
    by: { sms: 'must', mail: true },
    urgent: true,
    alsoFormer: true,
    text: {
      zh: '您的{what}已变更。如非本人操作，请立即联系管理员{phone}。',
      en: 'Your {what} was changed. Not you? Call the administrators at once {phone}.',
    },
    opens: '/info/index',
  },
  expiring: {
    label: '账号即将清除',
    to: ['owner'],
    data: { until: dateTime('清除时间') },
    by: { sms: false, mail: true, wechat: 'account' },
    text: {
      zh: '您的账号已多年未登录，将于{until}清除；如需保留，请在此之前登录。',
      en: 'You have not signed in for years: your account will be erased on {until}. Sign in before to keep it.',
    },
    opens: '/info/data',
  },
})

/** What staff are told each work day, where they have a confirmed address for e-mail. */
export const staffEvents = events(user, {
  digest: {
    label: '每日待办',
    to: ['owner'],
    data: { num: integer('件数'), kinds: integer('类别'), late: integer('超期') },
    by: { mail: true },
    text: {
      zh: '您有{kinds}类共{num}件待办，其中{late}件已超期。',
      en: 'Work that waits for you: {num}, of {kinds} kinds; overdue: {late}.',
    },
    opens: '/wel/index',
  },
})

/** What people are told of changes of their data that they asked for. */
export const updateRequestEvents = events(userupdateinfo, {
  decided: {
    label: '信息变更申请结果',
    to: ['owner'],
    fields: ['auditRemark'],
    data: { result: text('结果') },
    phrases: {
      result: {
        passed: { zh: '已通过', en: 'approved' },
        rejected: { zh: '未通过', en: 'rejected' },
      },
    },
    by: { sms: true, mail: true, wechat: 'result' },
    text: {
      zh: '您的信息变更申请{result}，详情请登录查看。',
      en: 'Your request to change your data was {result}. Sign in for details.',
    },
    opens: '/info/index',
  },
})

/** What people are told of what they ask about their personal data, and who answers it. */
export const dataRequestEvents = events(datarequest, {
  filed: {
    label: '收到个人信息请求',
    to: ['owner'],
    fields: ['requestKind', 'dueDate'],
    by: { mail: true },
    text: {
      zh: '已收到您的“{requestKind}”请求，{dueDate}前答复。',
      en: 'We have your request “{requestKind}”; it is answered by {dueDate}.',
    },
    opens: '/info/data',
  },
  asked: {
    label: '待办理的个人信息请求',
    to: ['data.officers'],
    fields: ['requestKind', 'dueDate'],
    by: { mail: true },
    text: {
      zh: '有人提出“{requestKind}”请求，请在{dueDate}前答复。',
      en: 'A request “{requestKind}” has come; answer it by {dueDate}.',
    },
    opens: '/system/datarequest',
  },
  answered: {
    label: '个人信息请求已答复',
    to: ['owner'],
    fields: ['requestKind', 'answer'],
    by: { sms: true, mail: true },
    text: {
      zh: '您的“{requestKind}”请求已处理，结果和理由请登录查看。',
      en: 'Your request “{requestKind}” is answered; sign in for the result and the reasons.',
    },
    opens: '/info/data',
    settles: ['datarequest.filed', 'datarequest.asked'],
  },
})
