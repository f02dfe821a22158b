import { App, Button } from 'antd'
import type { ReactNode } from 'react'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { type ConsentKind, ownConsents, withdrawConsent } from '../../contract.ts'

const names: Readonly<Record<ConsentKind, string>> = {
  email: '电子邮箱',
  avatar: '头像',
  wechat: '微信消息',
  outside: '微信等第三方登录',
}

/** What was given beyond what an exam needs; each can be taken back, and goes at once. */
export function Consents(): ReactNode {
  const t = useT()
  const { modal, message } = App.useApp()
  const found = useContract(ownConsents, {})
  const withdraw = (kind: ConsentKind): void => {
    const onOk = () =>
      call(withdrawConsent, { kind }).then(
        () => {
          void message.success(t('已撤回并清除'))
          void found.refetch()
        },
        () => undefined,
      )
    modal.confirm({
      title: t('撤回同意：{{what}}', { what: t(names[kind]) }),
      content: t('撤回后立即清除，不影响撤回前已经进行的处理。'),
      okText: t('确定'),
      cancelText: t('取消'),
      onOk,
    })
  }
  return (
    <section className="my-card">
      <h2>{t('撤回同意')}</h2>
      <Loaded query={found}>
        {all => (
          <>
            {all
              .filter(one => one.given !== '')
              .map(({ kind, given }) => (
                <p key={kind} className="my-words">
                  <span>
                    {t(names[kind])} {kind !== 'avatar' && <span className="my-quiet">{given}</span>}
                  </span>
                  <Button size="large" onClick={() => withdraw(kind)}>
                    {t('撤回此项')}
                  </Button>
                </p>
              ))}
            {all.every(one => one.given === '') && <p className="my-quiet">{t('没有可以撤回的同意事项')}</p>}
            <p className="my-quiet">
              {t('报名表和证件是参加考试所必需的，撤回即放弃报名，请在“我的报名”中办理。')}{' '}
              <a href="/signup/mySignup">{t('我的报名')}</a>
            </p>
          </>
        )}
      </Loaded>
    </section>
  )
}
