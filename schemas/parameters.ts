import { dayOffPattern, integer, type Parameter, parameter, suggestionPattern, text } from '#engine'
import { ticketLayoutTitles } from './tickets/ticket-layout-titles.ts'

const hosts = (title: string, help: string) =>
  parameter(text(title, { help, maxLength: 2000, pattern: '^(-|[^\\s,/]+(\\s*,\\s*[^\\s,/]+)*)$' }), {
    preset: '-',
    platform: true,
  })

const days = (title: string, help: string) =>
  parameter(integer(title, { help, minimum: 180, maximum: 36_500 }), { preset: '180', unit: '天', platform: true })

const limit = (title: string, help: string, preset: number) =>
  parameter(integer(title, { help, minimum: 1, maximum: 1_000_000 }), {
    preset: String(preset),
    unit: '次',
    platform: true,
  })

const quietTime = (title: string, help: string, preset: string) =>
  parameter(text(title, { help, maxLength: 5, pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }), { preset })

const yes = { true: '是', false: '否' } as const

const process = (title: string, help: string) =>
  parameter(
    text(title, { help: `${help}；流程模型的标识，-表示不经流程`, maxLength: 64, pattern: '^(-|[A-Za-z_][\\w.-]*)$' }),
    { preset: '-' },
  )

/** What administrators may set while the server runs, by key. The first tenant gets each with its preset value. */
export const parameters = {
  'site.title': parameter(text('系统名称', { help: '登录页与标题栏显示的名称', maxLength: 60 }), {
    preset: '聚贤考试报名系统',
  }),
  'site.register': parameter(text('开放注册', { help: '考生可以自己注册' }), { preset: 'false', choices: yes }),
  'register.audit': parameter(text('注册需审核', { help: '注册后由管理员审核，通过后才能登录' }), {
    preset: '1',
    choices: { 1: '需要审核', 0: '直接可用' },
  }),
  'register.sms': parameter(text('注册短信验证', { help: '注册时用短信验证码核实手机号' }), {
    preset: 'auto',
    choices: { auto: '已启用短信时需要', 1: '需要', 0: '不需要' },
  }),
  'login.secondFactor': parameter(
    text('双因素登录', {
      help: '也可以填写必须使用的角色别名，用逗号分隔，例如 administrator,admin,finance',
      maxLength: 500,
      pattern: '^[^,，\\s]+([,，\\s]+[^,，\\s]+)*$',
    }),
    { preset: 'optional', choices: { off: '关闭', optional: '自愿使用', required: '工作人员必须使用' }, open: true },
  ),
  'captcha.work': parameter(
    integer('人机验证计算量', {
      help: '每次验证最多计算的次数，浏览器自动完成；同一地址失败越多，计算量越大',
      minimum: 1000,
      maximum: 5_000_000,
    }),
    { preset: '100000', unit: '次', platform: true },
  ),
  'limit.login.account': limit('每账号陌生设备密码错误上限', '超过后陌生设备须等待；登录过的设备和管理员不受影响', 50),
  'limit.login.address': limit('每地址密码错误上限', '15分钟内同一网络地址；超过后只有登录过的设备可以登录', 2000),
  'limit.register.address': limit('每地址注册上限', '1小时内同一网络地址注册成功的次数', 5000),
  'limit.register.taken': limit(
    '每地址重复注册上限',
    '1小时内同一网络地址提交已被注册的账号、证件或手机号码的次数',
    500,
  ),
  'limit.claim.number': limit('每证件号认领上限', '1天内同一证件号码提交的认领申请', 5),
  'limit.claim.phone': limit('每手机号认领上限', '1天内同一手机号码尝试提交认领申请的次数', 10),
  'limit.claim.address': limit('每地址认领上限', '1小时内同一网络地址尝试提交或查询认领申请的次数', 500),
  'limit.code.address': limit('每地址短信验证码上限', '1小时内同一网络地址；每个手机号码另有限制', 5000),
  'limit.objection.address': limit('每地址异议上限', '1天内同一网络地址提交的异议', 3),
  'limit.picture.address': limit('每地址图形验证码上限', '1分钟内同一网络地址；本系统的页面不使用图形验证码', 300),
  'limit.oauth.address': limit('每地址第三方登录上限', '1分钟内同一网络地址', 1000),
  'log.api.days': days('接口日志保留天数', '过期自动删除；审计日志不删除'),
  'log.error.days': days('错误日志保留天数', '过期自动删除'),
  'log.usual.days': days('通用日志保留天数', '过期自动删除'),
  'job.hosts': hosts('任务服务器允许的主机', '主机名或主机名:端口，多个用逗号分隔；-表示都不允许'),
  'hook.hosts': hosts(
    '推送允许的内网主机',
    '主机名或主机名:端口，多个用逗号分隔；公网 https 地址不须列出；-表示都不允许',
  ),
  'flow.hosts': hosts(
    '流程HTTP任务允许的主机',
    '主机名或主机名:端口，多个用逗号分隔；内网主机须同时列出其IP地址；-表示都不允许',
  ),
  'flow.biz.refund': process('退款审批流程', '申请退款后由该流程办理'),
  'flow.biz.exempt': process('免缴审批流程', '按下免缴后由该流程办理'),
  'flow.biz.userUpdate': process('资料变更审批流程', '考生申请变更资料后由该流程办理'),
  'flow.biz.examRelease': process('考试发布审批流程', '按下发布后由该流程办理'),
  'develop.hosts': hosts('数据源允许的主机', '主机名或主机名:端口，多个用逗号分隔；-表示都不允许'),
  'oauth.hosts': hosts(
    '第三方登录允许的内网主机',
    '内网或非https的登录服务，主机名或主机名:端口，多个用逗号分隔；公网https不必列出',
  ),
  'oss.hosts': hosts('对象存储允许的主机', '主机名或主机名:端口，多个用逗号分隔；-表示都不允许'),
  'mail.hosts': hosts(
    '内网邮件服务器',
    '内网或不加密的邮件服务器，主机名或主机名:端口，多个用逗号分隔；公网并加密的不必列出；演示环境只向列出的服务器真正发信',
  ),
  'scan.address': hosts('病毒扫描服务', 'ClamAV守护进程的主机名:端口；-表示没有'),
  'sms.dailyCodes': parameter(integer('每日验证码上限', { help: '本机构一天最多发送的短信验证码条数', minimum: 0 }), {
    preset: '20000',
    unit: '条',
  }),
  'sms.dailyFen': parameter(
    integer('每日短信费用上限', {
      help: '达到后当天不再发送，其余次日再发，并告知管理短信的人员；100分为1元',
      minimum: 0,
    }),
    { preset: '200000', unit: '分' },
  ),
  'sms.unitFen': parameter(integer('短信单价', { help: '每条多少分，按它计算当天的短信费用', minimum: 0 }), {
    preset: '5',
    unit: '分',
  }),
  'notify.quietFrom': quietTime('免打扰开始', '此时起消息推迟发送，紧急的除外；如 22:00，与结束相同表示不设', '22:00'),
  'notify.quietUntil': quietTime('免打扰结束', '推迟的消息此时起发送；如 08:00', '08:00'),
  'pay.graceMinutes': parameter(
    integer('缴费到账宽限', { help: '缴费截止后多少分钟内到账仍然有效', minimum: 0, maximum: 1440 }),
    { preset: '30', unit: '分钟' },
  ),
  'upload.dailyMB': parameter(
    integer('每人每日上传上限', { help: '考生一天最多上传多少MB，被退回的文件也计入', minimum: 1, maximum: 100_000 }),
    { preset: '500', unit: 'MB' },
  ),
  'upload.staffDailyMB': parameter(
    integer('工作人员每日上传上限', {
      help: '工作人员一天最多上传多少MB，被退回的文件也计入',
      minimum: 1,
      maximum: 1_000_000,
    }),
    { preset: '5000', unit: 'MB' },
  ),
  'photo.heic': parameter(
    text('读取 HEIC 照片', { help: '浏览器不认识 iPhone 的 HEIC 照片时，由页面转为 JPG；关闭后请考生自行转换' }),
    { preset: 'true', choices: yes },
  ),
  'privacy.lookerNames': parameter(
    text('告知考生查看人姓名', { help: '“谁看过我的号码”中除角色和机构外是否显示工作人员姓名' }),
    { preset: 'false', choices: yes },
  ),
  'privacy.backupDays': parameter(
    integer('备份失效天数', {
      help: '资料清除后，最后一份含有这些资料的备份多少天后失效，写入清除记录',
      minimum: 1,
      maximum: 3650,
    }),
    { preset: '30', unit: '天' },
  ),
  'export.days': parameter(
    integer('导出文件保留天数', { help: '后台导出的文件保留几天，到期自动删除', minimum: 1, maximum: 30 }),
    { preset: '7', unit: '天' },
  ),
  'backup.keep': parameter(
    integer('数据备份保留份数', {
      help: '系统自动备份到BACKUP_DIR后，只保留最近的份数，更早的备份自动删除',
      minimum: 1,
      maximum: 1000,
    }),
    { preset: '7', unit: '份', platform: true },
  ),
  'print.days': parameter(
    integer('打印文件保留天数', {
      help: '生成的PDF内容不变时不再重新生成；多少天无人使用后删除',
      minimum: 1,
      maximum: 365,
    }),
    { preset: '7', unit: '天', platform: true },
  ),
  'print.maxMB': parameter(
    integer('打印文件保留上限', {
      help: '全部保留的PDF最多占多少MB，超过时先删除最久未使用的',
      minimum: 0,
      maximum: 1_000_000,
    }),
    { preset: '1000', unit: 'MB', platform: true },
  ),
  'ticket.layout': parameter(text('准考证版式', { help: '打印和下载的准考证的版式' }), {
    preset: 'standard',
    choices: ticketLayoutTitles,
  }),
  'calendar.daysOff': parameter(
    text('节假日', {
      help: '周末以外的休息日，推算时间时顺延；日期或起止日期，用逗号分隔，例如 2027-02-05~2027-02-08,05-01；不写年份表示每年',
      maxLength: 2000,
      pattern: `^(-|${dayOffPattern}(,${dayOffPattern})*)$`,
    }),
    { preset: '01-01,05-01~05-02,10-01~10-03,2027-02-05~2027-02-08,2027-04-05,2027-06-09,2027-09-15' },
  ),
  'publicity.workdays': parameter(
    text('公示期', {
      help: '各类公示的工作日数，未填公示结束时间时据此推算，例如 1=3,7=7；0表示须逐次填写',
      maxLength: 100,
      pattern: '^[1-7]=\\d{1,2}(,[1-7]=\\d{1,2})*$',
    }),
    { preset: '1=3,2=3,3=0,4=5,5=3,6=3,7=7' },
  ),
  'publicity.keepDays': parameter(
    integer('公示名单保留天数', {
      help: '公示结束多少天后，公开页面和文件不再提供名单',
      minimum: 0,
      maximum: 365,
    }),
    { preset: '30', unit: '天' },
  ),
  'objection.acceptDays': parameter(
    integer('异议受理期限', { help: '收到异议后多少个工作日内决定是否受理', minimum: 1, maximum: 60 }),
    { preset: '3', unit: '个工作日' },
  ),
  'objection.answerDays': parameter(
    integer('异议答复期限', { help: '收到异议后多少个工作日内答复', minimum: 1, maximum: 120 }),
    { preset: '10', unit: '个工作日' },
  ),
  'suggest.examination': parameter(
    text('考试时间推算', {
      help: '由笔试日期推算各项时间，这里写与默认不同的天数和时刻，例如 signStartTime=-60@08:30,signEndTime=7；-表示都按默认',
      maxLength: 1000,
      pattern: `^(-|${suggestionPattern}(,${suggestionPattern})*)$`,
    }),
    { preset: '-' },
  ),
  'map.search': parameter(
    text('地图搜索地址', {
      help: 'https开头，{keyword}处换成地址与名称，不得含密钥；-表示不显示地图',
      maxLength: 500,
      pattern: '^(-|https://\\S*\\{keyword\\}\\S*)$',
    }),
    { preset: 'https://uri.amap.com/search?keyword={keyword}' },
  ),
} satisfies Readonly<Record<string, Parameter>>

/** Key of a parameter that the program reads. */
export type ParameterKey = keyof typeof parameters

/** The definition of a parameter, for any key; undefined for one that an installation made for itself. */
export const parameterOf = (key: string): Parameter | undefined =>
  Object.hasOwn(parameters, key) ? parameters[key as ParameterKey] : undefined
