/** English of the sign-in page, which stands apart from the application and its dictionary to stay small. */
const english: Record<string, string> = {
  登录: 'Sign in',
  '登录 · 聚贤': 'Sign in · Juxian',
  卫生健康系统公开招聘: 'Public health recruitment',
  公开: 'Open',
  平等: 'Equal',
  竞争: 'Competitive',
  择优: 'Merit',
  '报名、审核、缴费、准考证、成绩，一处办理，每一步都有记录。':
    'Sign-up, review, payment, tickets and results in one place, every step on record.',
  招聘公告: 'Announcements',
  常见问题: 'FAQ',
  '考生可用账号、手机号码或证件号码登录': 'Candidates may use account, phone or ID number',
  登录方式: 'Way to sign in',
  密码登录: 'Password',
  短信登录: 'SMS code',
  使用账号绑定的手机号码登录: 'Use the phone number of your account',
  '请打开验证器应用，输入显示的 6 位数字': 'Open your authenticator app and enter the 6 digits',
  手机号码: 'Phone',
  短信验证码: 'SMS code',
  获取验证码: 'Get code',
  重新获取: 'Get another',
  秒后重发: 's to resend',
  '验证码已发送，5 分钟内有效': 'The code was sent and holds 5 minutes',
  '演示环境：在这里查看短信': 'Demo: read the messages here',
  动态验证码: 'Authenticator code',
  恢复码: 'Recovery code',
  '请输入绑定时保存的恢复码，每个只能用一次': 'One of the codes you kept when you set it up; each serves once',
  '手机不在身边？用恢复码': 'No phone at hand? Use a recovery code',
  返回: 'Back',
  请输入手机号码: 'Please enter your phone number',
  手机号码格式错误: 'This is no mobile phone number',
  请输入短信验证码: 'Please enter the SMS code',
  请输入动态验证码: 'Please enter the code',
  租户编号: 'Tenant',
  账号: 'Account',
  密码: 'Password',
  显示密码: 'Show password',
  图中的验证码: 'Characters in the picture',
  '看不清，换一张': 'Another picture',
  请输入图中的验证码: 'Please enter the characters in the picture',
  '还没有账号？': 'No account yet?',
  注册: 'Register',
  '忘记密码？': 'Forgot your password?',
  其他登录方式: 'Other ways to sign in',
  '演示账号（点击填入）': 'Demo accounts (click to fill in)',
  '密码加密后才离开本机，请在可信的设备上登录。':
    'Your password leaves this device only encrypted. Sign in on devices you trust.',
  请输入租户编号: 'Please enter the tenant',
  请输入账号: 'Please enter your account',
  请输入密码: 'Please enter your password',
  '正在登录…': 'Signing in…',
  '用户令牌过期，请重新登录': 'Your session has expired, please sign in again',
  '系统繁忙，正在自动重试': 'The system is busy. This page tries again by itself.',
  '网络不通，请检查网络后重试': 'No connection. Please check your network and try again',
  系统错误: 'System error',
  验证码不正确: 'This browser was not verified, please try again',
  用户名或密码错误: 'Wrong account or password',
}

const SAVED = 'juxian-lang'

/** True while the page is in English. */
export const isEnglish = (): boolean => localStorage.getItem(SAVED) === 'en'

/** The text in the page's language; what has no English (a server's message) stays as it is. */
export const t = (text: string): string => (isEnglish() ? (english[text] ?? text) : text)

/** Writes every marked text of the page in the saved language. The Chinese in the page is the key. */
export function write(): void {
  document.documentElement.lang = isEnglish() ? 'en' : 'zh-CN'
  document.title = t('登录 · 聚贤')
  for (const element of document.querySelectorAll<HTMLElement>('[data-t]')) {
    element.dataset.t ||= element.textContent
    element.textContent = t(element.dataset.t)
  }
  for (const element of document.querySelectorAll<HTMLElement>('[data-name]'))
    element.ariaLabel = t(element.dataset.name ?? '')
  for (const element of document.querySelectorAll<HTMLElement>('[data-label]')) {
    const label = t(element.dataset.label ?? '')
    element.setAttribute('aria-label', label)
    element.title = label
  }
}

/** Changes between Chinese and English and remembers it for the application too. */
export function toggle(): void {
  localStorage.setItem(SAVED, isEnglish() ? 'zh' : 'en')
  write()
}
