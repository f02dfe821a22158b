import { Button } from 'antd'
import { type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react'
import type { Session, TokenAnswer } from '../../platform/http/browser/session.ts'
import { signOut } from '../../platform/http/contract.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { beginAs, giveUp, takeAnswer, useAwaited } from './sign-in-again.ts'
import './sign-in.css'

const nameOf = (who: Partial<Session>): string => who.nick_name || who.real_name || who.account || ''

/** Takes messages of the sign-in page in the frame; all others are ignored. */
function useAnswers(frame: RefObject<HTMLIFrameElement | null>, heard: (answer: TokenAnswer) => void): void {
  useEffect(() => {
    const listen = ({ origin, source, data }: MessageEvent<{ signedIn?: TokenAnswer }>): void => {
      if (origin === location.origin && source === frame.current?.contentWindow && data?.signedIn) heard(data.signedIn)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [frame, heard])
}

/** The native dialog is above everything, whatever is open in the window, and takes the focus from it. */
function useOpened(): RefObject<HTMLDialogElement | null> {
  const box = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = box.current
    if (!dialog || dialog.open) return
    if (dialog.showModal) dialog.showModal()
    else dialog.setAttribute('open', '')
  }, [])
  return box
}

/** Ends the session that somebody else has just begun in the frame. */
function endOf({ access_token }: TokenAnswer): void {
  const headers = { Authorization: `Basic ${btoa('juxian-web:')}`, 'Blade-Auth': `bearer ${access_token}` }
  fetch(`/api${signOut.path}`, { headers }).catch(() => undefined)
}

function SomebodyElse({ answer, onBack }: { answer: TokenAnswer; onBack: () => void }): ReactNode {
  const t = useT()
  const before = useAwaited()
  const names = { now: nameOf(answer), before: nameOf(before ?? {}) }
  return (
    <div className="sign-in-other" role="alert">
      <p>{t('您登录的是另一个账号「{{now}}」。继续会丢弃「{{before}}」尚未保存的内容。', names)}</p>
      <Button type="primary" onClick={onBack}>
        {t('返回，用原账号登录')}
      </Button>
      <Button danger onClick={() => beginAs(answer)}>
        {t('丢弃并继续')}
      </Button>
    </div>
  )
}

/**
 * Signing in over the window: the sign-in page itself in a frame, so that every way in works. The same person
 * continues in the same place; somebody else is warned first.
 */
export default function SignInDialog(): ReactNode {
  const t = useT()
  const title = useId()
  const person = useAwaited()
  const box = useOpened()
  const frame = useRef<HTMLIFrameElement>(null)
  const [other, setOther] = useState<TokenAnswer>()
  const [heard] = useState(() => (answer: TokenAnswer) => {
    if (!takeAnswer(answer)) setOther(answer)
  })
  useAnswers(frame, heard)
  const back = (): void => {
    if (other) endOf(other)
    setOther(undefined)
  }
  return (
    <dialog ref={box} className="sign-in" aria-labelledby={title} onCancel={event => event.preventDefault()}>
      <header>
        <h2 id={title}>{t('用户令牌过期，请重新登录')}</h2>
        <p>{t('已填写的内容还在。登录后从这里继续，没有发出的会自动再发一次。')}</p>
      </header>
      {other ? (
        <SomebodyElse answer={other} onBack={back} />
      ) : (
        <iframe
          ref={frame}
          title={t('登录')}
          src={`/login?${new URLSearchParams({ over: '1', account: person?.account ?? '' })}`}
        />
      )}
      <footer>
        <Button type="text" onClick={giveUp}>
          {t('放弃填写的内容，退出')}
        </Button>
      </footer>
    </dialog>
  )
}
