import { Alert, App, Button } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../i18n/i18n.ts'

/** The codes for whoever loses the phone: shown once, to be kept elsewhere. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const text = codes.join('\n')
  const copy = (): void =>
    void navigator.clipboard.writeText(text).then(
      () => message.success(t('已复制')),
      () => message.warning(t('不能复制，请手工抄写')),
    )
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`
  return (
    <div className="my">
      <Alert
        type="success"
        showIcon
        title={t('绑定成功')}
        description={t('手机丢失时，每个恢复码可代替动态验证码登录一次。恢复码只显示这一次，请保存在安全的地方。')}
      />
      <ul className="factor-codes" aria-label={t('恢复码')}>
        {codes.map(code => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="my-words">
        <Button size="large" onClick={copy}>
          {t('复制')}
        </Button>
        <Button size="large" href={file} download={`${t('恢复码')}.txt`}>
          {t('保存为文件')}
        </Button>
        <Button type="primary" size="large" onClick={onDone}>
          {t('我已保存')}
        </Button>
      </div>
    </div>
  )
}
