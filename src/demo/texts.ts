import { NoticeCategory, NoticeScope, NoticeType } from '#schemas/dictionaries'

/** What a candidate reads before signing up. */
export const signNotice = `<h3>一、报考条件</h3><ol><li>具有中华人民共和国国籍，拥护宪法，遵纪守法，品行端正。</li><li>具备岗位所需的学历、学位、专业、年龄和执业资格，计算年龄的基准日见考试公告。</li><li>具有正常履行岗位职责的身体条件。</li></ol>
<h3>二、报名方式</h3><p>采用网上报名。每人限报一个岗位，提交后在未审核且报名未截止时可以修改。请使用本人真实信息，证件照须为近期免冠正面照。</p>
<h3>三、资格审查</h3><p>资格审查贯穿招聘全过程。审核结果在系统内查看；退回修改的，须在补正截止时间前重新提交。</p>
<h3>四、缴费与准考证</h3><p>审核通过后在缴费时间内扫码缴费，逾期视为放弃。准考证在规定时间内自行下载打印。</p>`

/** What a candidate promises. */
export const promise = `<p>本人已仔细阅读招聘公告和报名须知，自愿报名，并郑重承诺：</p><ol><li>所填写的信息和上传的材料真实、准确、完整，如有虚假，自愿承担取消资格等一切后果。</li><li>遵守考试纪律，服从考试安排，不舞弊、不协助他人舞弊。</li><li>保持通讯畅通，因个人原因错过审核、缴费、考试的，责任自负。</li></ol>
<p><strong>个人信息处理告知：</strong>为组织本次考试，我们处理您的姓名、证件号码、照片、学历、联系方式等信息，仅用于报名、审核、考试和聘用，考试归档两年后删除。</p>`

/** Notices of the demonstration. */
export const notices = [
  {
    title: '清源区卫健系统公开招聘工作人员公告',
    category: NoticeCategory.recruitment,
    noticeType: NoticeType.announcement,
    scope1: NoticeScope.public,
    needSure: 0,
    isTop: 1,
    content:
      '<p>因工作需要，清源区卫生健康局所属事业单位面向社会公开招聘工作人员。报名采用网上报名方式，具体岗位、条件和时间安排详见考试报名页面。</p><p>咨询时间：工作日 9:00—17:00。</p>',
  },
  {
    title: '关于网上报名照片要求的说明',
    category: NoticeCategory.exam,
    noticeType: NoticeType.announcement,
    scope1: NoticeScope.public,
    needSure: 0,
    isTop: 0,
    content: '<p>证件照须为近期免冠、正面、浅色背景，系统会裁剪为 295×413 像素。请勿使用生活照或翻拍照。</p>',
  },
  {
    title: '考场纪律与考生须知',
    category: NoticeCategory.exam,
    noticeType: NoticeType.notice,
    scope1: NoticeScope.examCandidates,
    needSure: 1,
    isTop: 0,
    content:
      '<p>请携带准考证和身份证原件，提前 30 分钟到达考点。开考 30 分钟后不得入场。手机等通讯设备一律关机存放。</p><p>请阅读后点击“我已阅读并确认”，确认后方可下载准考证。</p>',
  },
] as const
