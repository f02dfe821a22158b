/** What stands with an account that has lost its ID number to whoever proved to own it. */
export const numberLost = '证件号码已由本人凭证件认领，账号停用'

/** What whoever signs in to such an account is told. */
export const numberLostText = '账号已停用：所用证件号码已由本人凭证件认领。如有异议，请拨打招聘公告中的咨询电话'
