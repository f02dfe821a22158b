import { App, Button } from 'antd'
import type { ReactNode } from 'react'
import type { AnswerOf } from '#engine'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { type ConsentKind, ownConsents, withdrawConsent } from '../../contract.ts'

type OwnConsent = AnswerOf<typeof ownConsents>[number]

const names: Readonly<Record<Exclude<ConsentKind, 'upload'>, string>> = {
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
  const wordsOf = (one: OwnConsent): string =>
    one.kind === 'upload' ? `${one.examName} · ${one.name}` : t(names[one.kind])
  const withdraw = (one: OwnConsent): void => {
    const { kind, signUpId, fileCode } = one
    const onOk = () =>
      call(withdrawConsent, { kind, ...(kind === 'upload' && { signUpId, fileCode }) }).then(
        () => {
          void message.success(t('已撤回并清除'))
          void found.refetch()
        },
        () => undefined,
      )
    modal.confirm({
      title: t('撤回同意：{{what}}', { what: wordsOf(one) }),
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
              .map(one => (
                <p key={`${one.kind} ${one.signUpId} ${one.fileCode}`} className="my-words">
                  <span>
                    {wordsOf(one)} {one.kind !== 'avatar' && <span className="my-quiet">{one.given}</span>}
                  </span>
                  <Button size="large" onClick={() => withdraw(one)}>
                    {t('撤回此项')}
                  </Button>
                </p>
              ))}
            {all.every(one => one.given === '') && <p className="my-quiet">{t('没有可以撤回的同意事项')}</p>}
            <p className="my-quiet">
              {t('报名表和必传的材料是参加考试所必需的，撤回即放弃报名，请在“我的报名”中办理。')}{' '}
              <a href="/signup/mySignup">{t('我的报名')}</a>
            </p>
          </>
        )}
      </Loaded>
    </section>
  )
}
