/**
 * Every business refusal of the product: body code, HTTP status and the text a person reads.
 * `{name}` in a text is filled from the parameters given to {@link refuse}.
 * HTTP 401 is reserved for tokens, because clients answer it with a token refresh.
 */
export const refusals = {
  20001: [400, '验证码不正确'],
  20002: [400, '用户名或密码错误'],
  20003: [400, '登录失败次数过多，账号已锁定，请{n}分钟后再试'],
  20004: [403, '账号已停用'],
  20005: [403, '注册申请审核中，请耐心等待管理员通过'],
  20006: [403, '注册申请未通过：{原因}'],
  20007: [400, '短信验证码错误或已失效'],
  20008: [429, '发送过于频繁，请{n}秒后再试'],
  20009: [400, '密码强度不足：{要求}'],
  20010: [400, '原密码不正确'],
  20011: [403, '系统未开放注册'],
  20012: [409, '该账号已存在'],
  20013: [409, '该证件号码已注册，请直接登录或找回密码'],
  20014: [409, '该手机号码已注册'],
  20015: [400, '两次密码输入不一致'],
  20016: [403, '请先修改密码'],
  20017: [400, '密码密文无效，请刷新页面后重试'],
  20018: [409, '租户账号额度已满'],
  20019: [403, '租户已停用或已到期'],
  20030: [400, '请输入动态验证码'],
  20031: [403, '请先绑定动态验证码'],
  20032: [400, '动态验证码错误或已使用'],
  20033: [400, '登录已超时，请重新输入密码'],
  20040: [400, '第三方登录已超时或不是由本浏览器发起，请重新登录'],
  20041: [400, '第三方登录未通过验证，请重新登录'],
  20042: [400, '第三方登录服务暂不可用，请稍后再试'],
  20043: [409, '该第三方账号或您的账号已绑定，请先解除原绑定'],
  20044: [400, '授权码无效、已过期或已使用，请重新授权'],
  20050: [400, '请输入登录密码，确认是本人操作'],
  20051: [400, '登录密码不正确'],
  20052: [400, '更换电子邮箱须确认是本人：请输入登录密码，或重新登录后{n}分钟内保存'],
  21001: [404, '考试不存在'],
  21002: [409, '考试未发布或已关闭'],
  21003: [409, '不能发布：{缺项清单}'],
  21004: [409, '考试已发布，不能修改：{字段}'],
  21005: [409, '已有报名数据，不能删除'],
  21006: [400, '时间设置不合理：{说明}'],
  21007: [404, '岗位不存在'],
  21008: [409, '岗位已停用或已取消'],
  21009: [409, '岗位代码重复'],
  21010: [409, '岗位已有人报名，不能删除或减少计划，请走岗位核减'],
  21011: [409, '考试已归档，只能查看'],
  22001: [400, '报名未开始（{时间}开始）'],
  22002: [400, '报名已截止（{时间}）'],
  22003: [409, '您已报名本考试，不能重复报名'],
  22004: [409, '该证件号码已报名本考试，请联系{咨询电话}'],
  22005: [409, '该岗位报名人数已满'],
  22006: [400, '报名信息有误'],
  22007: [400, '缺少必传附件：{清单}'],
  22008: [409, '报名{状态}，不能修改'],
  22009: [409, '当前状态不能撤回或放弃'],
  22010: [404, '报名不存在'],
  22011: [400, '请先阅读并同意《诚信承诺书》和《个人信息处理告知书》'],
  22012: [400, '不符合岗位条件：{清单}'],
  22013: [409, '请先完成实名信息'],
  22030: [400, '不通过或退回时必须填写审核意见'],
  22031: [409, '该报名已由{审核人}于{时间}处理，请刷新'],
  22032: [403, '不在您的审核范围'],
  22033: [400, '审核已截止'],
  22034: [409, '复审人不能是初审人'],
  22035: [409, '已缴费或已编排准考证，请走取消资格流程'],
  22036: [400, '审核结果取值不正确'],
  22037: [409, '考生已修改报名信息，请刷新后重新审核'],
  22040: [400, '补正已截止'],
  23001: [409, '岗位已达开考比例，无需核减'],
  23002: [404, '不在核减名单'],
  23003: [400, '改报未开始或已截止'],
  23004: [409, '已提交改报选择，不能更改'],
  23005: [400, '不能改报该岗位：{原因}'],
  23006: [409, '已编排准考证，不能调整岗位'],
  23007: [409, '核减名单尚有{n}人未处理'],
  23008: [409, '岗位核减已确认，不能更改'],
  24001: [404, '缴费记录不存在'],
  24002: [400, '缴费未开始或已截止'],
  24003: [409, '该项目已缴费'],
  24004: [409, '该项目免缴，无需支付'],
  24005: [409, '订单已关闭，请重新发起支付'],
  24006: [500, '支付渠道暂不可用，请稍后再试'],
  24007: [401, '验签失败'],
  24008: [409, '金额不一致，已转人工处理'],
  24009: [409, '订单已支付，不能关闭'],
  24010: [409, '退款金额超过可退金额'],
  24011: [409, '已有退款在处理中'],
  24012: [409, '支付已超过一年，不能原路退款，请线下处理'],
  24013: [409, '已有人缴费，不能删除'],
  24014: [409, '已开票，请先红冲'],
  24015: [409, '票据已开具'],
  24016: [409, '账单尚未生成（次日10点后）'],
  24017: [409, '该日对账已结清'],
  24018: [409, '申请人与审批人不能相同'],
  25001: [400, '准考证下载未开始或已结束（{时间}）'],
  25002: [404, '准考证尚未发布'],
  25003: [409, '未缴费，不能下载准考证'],
  25004: [409, '请先阅读并确认《{通知}》'],
  25005: [409, '请先上传：{材料}'],
  25006: [409, '准考证已作废：{原因}'],
  25007: [409, '座位不足：需{n}，可用{m}'],
  25008: [409, '座位已锁定，请先解锁'],
  25009: [409, '座位已被占用'],
  25010: [409, '还有{n}人审核、核减或缴费未完成，不能编排'],
  25011: [409, '准考证已发布，请先撤回'],
  25012: [400, '签到未开放或已结束（{时间}）'],
  25013: [400, '正式签到从 {时间} 起开放，不能再演练'],
  26001: [400, '成绩未公布'],
  26002: [409, '成绩已发布，请先撤回再修改'],
  26003: [409, '尚有{n}人无成绩且未标缺考'],
  26004: [400, '复核申请已截止'],
  26005: [409, '已提交过复核申请'],
  26006: [409, '您修改过撤回后的成绩，须由另一人发布'],
  27001: [409, '短信余额不足：需{n}条，余{m}条'],
  27002: [409, '订单未支付'],
  27003: [409, '已发送，不能修改或删除'],
  27004: [400, '没有有效接收人'],
  27005: [400, '模板参数缺失：{参数}'],
  27006: [409, '套餐已下架'],
  27007: [409, '已处理，请勿重复确认'],
  28001: [400, '不支持的文件类型{做法}'],
  28002: [400, '文件超过{n}KB{做法}'],
  28003: [400, '文件内容与格式不符{做法}'],
  28004: [400, '图片尺寸不符合要求：{要求}{做法}'],
  28005: [400, '模板不正确，请下载最新模板'],
  28006: [400, '导入有{n}行错误，未导入'],
  28007: [409, '同样的导出正在进行'],
  28008: [400, '超过{n}行，请缩小范围'],
  28009: [404, '文件不存在'],
  28010: [500, '文件存储暂不可用：{原因}'],
  28011: [429, '今日上传总量已达上限（{n}MB），请明天再试或联系管理员'],
  29001: [404, '数据不存在'],
  29002: [409, '数据已被他人修改，请刷新'],
  29003: [409, '存在关联数据，不能删除'],
  29004: [409, '编码重复'],
  29005: [400, '参数不正确：{说明}'],
  29006: [409, '请勿重复提交'],
  29007: [429, '操作过于频繁，请稍后再试'],
  29008: [403, '内置数据不能修改'],
  29009: [409, '当前状态不能执行该操作'],
  29010: [409, '任务不存在或已被他人签收'],
  29011: [409, '任务已办理'],
  29012: [409, '流程已挂起'],
  29013: [500, '任务服务器不可达'],
} as const satisfies Record<number, readonly [status: number, text: string]>

/** A code of the refusal table. */
export type RefusalCode = keyof typeof refusals

/** A business refusal on its way to the caller; the envelope plugin turns it into the wire answer. */
export class Refusal extends Error {
  /** Body code, for example 22003. */
  readonly code: number
  /** HTTP status, never above 500. */
  readonly status: number
  /** Details for the caller, for example the rows or fields that are wrong. */
  readonly data: unknown
  /** What stands in the braces of its text, by name. */
  readonly values: Readonly<Record<string, string | number>>

  constructor(
    code: number,
    status: number,
    message: string,
    data?: unknown,
    values: Readonly<Record<string, string | number>> = {},
  ) {
    super(message)
    this.name = 'Refusal'
    this.code = code
    this.status = status
    this.data = data
    this.values = values
  }
}

const told = new WeakSet<Refusal>()

/** A refusal that tells of work that was done, such as an import of which every row is wrong: what was written before it stays. */
export function afterWork(refusal: Refusal): Refusal {
  told.add(refusal)
  return refusal
}

/** Whether what was written before an error stays. */
export const isAfterWork = (error: unknown): boolean => error instanceof Refusal && told.has(error)

/**
 * Makes the refusal of a code.
 * @param code a code of {@link refusals}
 * @param values what stands in the braces of its text, by name
 * @param data details that travel in `data`
 */
export function refuse(code: RefusalCode, values: Record<string, string | number> = {}, data?: unknown): Refusal {
  const [status, text] = refusals[code]
  const message = text.replace(/\{([^}]+)\}/g, (_, name: string) => String(values[name] ?? ''))
  return new Refusal(code, status, message, data, values)
}

/** The text of {@link notYet}. */
export const notYetText = '功能尚未开放'

/** The refusal of a key that comes again with something else. */
export const otherBody = (): Refusal =>
  new Refusal(29006, refusals[29006][0], 'Idempotency-Key已用于内容不同的请求，请更换后重试')

/** The refusal of a call that is known and guarded, but whose work this version does not do. */
export const notYet = (): Refusal => new Refusal(29009, refusals[29009][0], notYetText)
