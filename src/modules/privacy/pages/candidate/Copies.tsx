import { App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useEffect, useState } from 'react'
import { TaskStatus } from '#schemas/dictionaries/platform'
import { call, saveFile } from '../../../../platform/http/browser/call.ts'
import { ApiError } from '../../../../platform/http/browser/http.ts'
import { language, useT } from '../../../../platform/i18n/i18n.ts'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { encrypted } from '../../../../screens/candidate/encrypted.ts'
import { FormButtons } from '../../../../screens/candidate/FormButtons.tsx'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { downloadOwn, exportOwn, ownExports } from '../../contract.ts'

/** Milliseconds between two looks at a copy that is being made. */
const PAUSE = 3000

/** Asks for the own password before a copy leaves. */
function Proof({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }): ReactNode {
  const t = useT()
  const [password, setPassword] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (!password) return setProblem(t('请输入密码'))
    setBusy(true)
    try {
      const { keyId, texts } = await encrypted([password])
      const proof = { password: texts[0] ?? '', keyId }
      await call(exportOwn, { ...proof, language: language() }, { pass: 'all' })
      onDone()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('网络不通，请检查网络后重试'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form onSubmit={event => void send(event)} noValidate>
      <Entry
        id="copyPassword"
        label={t('登录密码')}
        type="password"
        autoComplete="current-password"
        maxLength={64}
        value={password}
        problem={problem}
        onChange={event => {
          setPassword(event.target.value)
          setProblem('')
        }}
      />
      <FormButtons action="导出" busy={busy} onCancel={onCancel} />
    </form>
  )
}

/** Copies of all that is kept, each to be downloaded a few times. */
export function Copies(): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [asking, setAsking] = useState(false)
  const found = useContract(ownExports, {})
  const { refetch } = found
  const isMaking = (found.data ?? []).some(
    one => one.taskStatus === TaskStatus.queued || one.taskStatus === TaskStatus.running,
  )
  useEffect(() => {
    if (!isMaking) return
    const timer = setInterval(() => void refetch(), PAUSE)
    return () => clearInterval(timer)
  }, [isMaking, refetch])
  const save = (id: string): void =>
    void saveFile(downloadOwn, { id }).then(
      () => void refetch(),
      (error: unknown) =>
        void message.error(error instanceof ApiError ? error.message : t('网络不通，请检查网络后重试')),
    )
  return (
    <section className="my-card">
      <h2>{t('导出我的数据')}</h2>
      <p className="my-quiet">{t('生成一个压缩包，打开其中的 index.html 即可阅读；保留 72 小时，最多下载 3 次。')}</p>
      <Loaded query={found}>
        {rows => (
          <>
            {rows.map(one => (
              <p key={one.id} className="my-words">
                <span>
                  {one.createTime}{' '}
                  <span className="my-quiet">
                    {one.isReady
                      ? t('可下载 {{n}} 次，保留至 {{time}}', { n: one.left, time: one.keepUntil })
                      : isEnded(one.taskStatus)
                        ? one.failReason || t('已失效')
                        : t('正在生成')}
                  </span>
                </span>
                {one.isReady && (
                  <Button size="large" onClick={() => save(one.id)}>
                    {t('下载')}
                  </Button>
                )}
              </p>
            ))}
          </>
        )}
      </Loaded>
      {asking ? (
        <Proof
          onCancel={() => setAsking(false)}
          onDone={() => {
            setAsking(false)
            void refetch()
          }}
        />
      ) : (
        <Button size="large" type="primary" disabled={isMaking} onClick={() => setAsking(true)}>
          {t('导出我的数据')}
        </Button>
      )}
    </section>
  )
}

const isEnded = (status: number | ''): boolean => status !== TaskStatus.queued && status !== TaskStatus.running
