import { NoticeCategory, NoticeScope, NoticeType } from '#schemas/dictionaries'

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
