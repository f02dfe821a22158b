import type { RefusalTable } from '#engine'

/** What sign-ups refuse. */
export const signupRefusals = {
  'signup.notStarted': [22001, 400, '报名未开始（{时间}开始）', 'Sign-up has not begun (begins {时间})'],
  'signup.closed': [22002, 400, '报名已截止（{时间}）', 'Sign-up is over ({时间})'],
  'signup.alreadySignedUp': [22003, 409, '您已报名本考试，不能重复报名', 'You have signed up for this exam already'],
  'signup.idCardSignedUp': [
    22004,
    409,
    '该证件号码已报名本考试，请联系{咨询电话}',
    'This ID number has signed up for this exam already; call {咨询电话}',
  ],
  'signup.positionFull': [22005, 409, '该岗位报名人数已满', 'The position is full'],
  'signup.invalid': [22006, 400, '报名信息有误', 'Some of what you filled in is not right'],
  'signup.filesMissing': [22007, 400, '缺少必传附件：{清单}', 'Files are missing: {清单}'],
  'signup.notEditable': [22008, 409, '报名{状态}，不能修改', 'The sign-up can no longer change ({状态})'],
  'signup.notWithdrawable': [22009, 409, '当前状态不能撤回或放弃', 'It cannot be withdrawn or given up now'],
  'signup.notFound': [22010, 404, '报名不存在', 'There is no such sign-up'],
  'signup.consentRequired': [
    22011,
    400,
    '请先阅读并同意《诚信承诺书》和《个人信息处理告知书》',
    'Read and accept the promise and the privacy notice first',
  ],
  'signup.requirementsNotMet': [
    22012,
    400,
    '不符合岗位条件：{清单}',
    'You do not meet the position’s requirements: {清单}',
  ],
  'signup.identityIncomplete': [22013, 409, '请先完成实名信息', 'Complete your real-name data first'],
  'signup.correctionClosed': [22040, 400, '补正已截止', 'The time for corrections is over'],
} as const satisfies RefusalTable<'signup'>

type SignupRefusals = typeof signupRefusals

declare module '#engine' {
  interface Refusals extends SignupRefusals {}
}
