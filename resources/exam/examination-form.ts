/** The groups of an exam's form, in the order in which an exam goes. */
export const examForm = {
  基本信息: [
    ...(['examName', 'examCode', 'examType', 'examYear', 'organizer', 'deptId', 'contactPhone', 'cover'] as const),
    { field: 'examDesc', span: 24 },
  ],
  报名与审核: [
    ...(['signStartTime', 'signEndTime', 'modifyEndTime', 'examineEndTime', 'examineMode', 'maxSignup'] as const),
    ...(['ageBaseDate', 'graceSeconds', 'showNum'] as const),
    { field: 'hardRules', as: 'hardRules', span: 24 },
  ],
  岗位核减: ['openRatio', 'reduceBase', 'allowAdjust', 'reduceStartTime', 'reduceEndTime'],
  缴费: ['needPay', { field: 'payStartTime', when: { needPay: 1 } }, { field: 'payEndTime', when: { needPay: 1 } }],
  考试与准考证: [
    ...(['examStartTime', 'examEndTime', 'ticketStartTime', 'ticketEndTime', 'ticketNeedSure'] as const),
    { field: 'ticketNeedPic', as: 'ticketPics' },
  ],
  成绩与公示: ['resultTime', 'resultEndTime', 'appealEndTime', 'publicityStart', 'publicityEnd'],
  须知与承诺: [{ field: 'signNotice', span: 24 }, { field: 'promise', span: 24 }, 'consentVersion'],
} as const
