import { NoticeStatus } from '#schemas/dictionaries'
import { firstTenant } from '../../../platform/database/first-tenant.ts'
import { liveFor, withRemoved } from '../../../platform/database/live.ts'
import type { ModuleSeed } from '../../../platform/tenants/server/seed/module-seed.ts'
import type { Seeding } from '../../../platform/tenants/server/seed/tenant.ts'

/** Column of the news that holds questions with their answers. */
const category = '3'

/** What candidates ask, in the order of their way through an exam: question and answer. */
export const questions: readonly (readonly [question: string, answer: string])[] = [
  [
    '怎样注册和登录？',
    '<p>系统开放注册时，在登录页点击“注册”，按身份证填写姓名和证件号码，并设置密码。登录时账号、手机号码和证件号码都可以使用。</p>',
  ],
  [
    '忘记密码怎么办？',
    '<p>请拨打公告中的咨询电话，核对身份后由管理员重置。用重置后的密码登录时，系统会要求先修改密码。</p>',
  ],
  [
    '姓名或证件号码填错了怎么改？',
    '<p>在“我的资料”中申请变更并上传身份证照片，审核通过后生效。手机号码和电子邮箱可以自己修改。</p>',
  ],
  [
    '怎样报名？',
    '<p>登录后打开“考试报名”，选择考试和岗位，依次阅读报名须知、填写个人信息、上传照片和附件，确认承诺后提交。填写的内容会自动保存为草稿，可以换一台设备继续。</p>',
  ],
  [
    '照片有什么要求，总是上传失败怎么办？',
    '<p>请使用近期免冠、正面、浅色背景的 jpg 或 png 照片。上传后可以在页面上裁剪；大小和尺寸以报名页面上的说明为准，不符合时页面会指出原因。</p>',
  ],
  [
    '附件怎么上传，支持哪些格式？',
    '<p>每一项附件旁边都写明了格式、大小和份数。纸质材料可以用手机拍照上传，系统会缩小过大的照片；多页材料建议合并为一个 PDF 文件。</p>',
  ],
  [
    '提交后还能修改吗？',
    '<p>报名截止前、审核开始前可以修改或撤回。被退回修改的，请按审核意见在规定时间内改好并重新提交。</p>',
  ],
  ['在哪里看审核结果？', '<p>在首页或“我的报名”中查看状态和审核意见。结果有变化时，系统也会发送通知。</p>'],
  [
    '怎样缴费？',
    '<p>审核通过且缴费开始后，在“缴费”页面点击“去支付”，用微信扫描二维码付款。二维码有时限，过期后重新打开即可。逾期未缴费视为放弃。</p>',
  ],
  [
    '付了款但页面仍显示未缴费怎么办？',
    '<p>请稍等片刻再打开“缴费”页面，系统会自动向支付机构查询。仍未更新的，请不要重复付款，凭微信账单中的商户单号联系咨询电话。</p>',
  ],
  ['可以开发票吗？', '<p>缴费成功后，在“缴费”页面点击“申请发票”，填写抬头和接收邮箱。开具后可以在同一页面下载。</p>'],
  [
    '报考的岗位人数不足怎么办？',
    '<p>岗位被核减或取消时，系统会通知您。可以改报的，请在规定时间内选择其他岗位；放弃或岗位取消的，按公告办理退费。</p>',
  ],
  [
    '怎样下载和打印准考证？',
    '<p>准考证发布后，在“准考证”页面下载并用 A4 纸打印。如果提示“还差一步”，请先按提示确认通知或上传材料。</p>',
  ],
  [
    '考试当天要带什么？',
    '<p>请携带准考证和有效身份证原件，按准考证上的时间提前到达考点，对号入座。具体要求见准考证上的考生须知。</p>',
  ],
  [
    '怎样查询成绩和申请复核？',
    '<p>成绩公布后，在“成绩”页面查看。对成绩有疑问的，可以在复核截止时间前在该页面提出申请，复核只核对有无漏评和计分错误。</p>',
  ],
]

/** The common questions of a new installation. What an administrator changes or removes stays so. */
async function addQuestions({ now, trx }: Seeding): Promise<void> {
  const db = liveFor(trx, { tenantId: firstTenant, userId: null, now: () => now })
  const known = db.selectFrom(withRemoved('news')).select('id').where('category', '=', category)
  if (await known.limit(1).executeTakeFirst()) return
  const rows = questions.map(([title, content], at) => ({
    title,
    content,
    category,
    isTop: 0 as const,
    viewNum: 0,
    newsStatus: NoticeStatus.released,
    // The newest stands first.
    releaseTime: new Date(now.getTime() - at * 60_000),
  }))
  await db.insertInto('news').values(rows).execute()
}

/** The common questions and their answers. */
export const questionsSeed: ModuleSeed = { source: questions, installation: addQuestions }
