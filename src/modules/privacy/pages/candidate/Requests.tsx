import { App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { callOf } from '#engine'
import { datarequest } from '#resources/system/datarequest'
import { RequestKind, RequestStatus } from '#schemas/dictionaries/administration'
import { call } from '../../../../platform/http/browser/call.ts'
import { ApiError } from '../../../../platform/http/browser/http.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { FormButtons } from '../../../../screens/candidate/FormButtons.tsx'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { askAboutData, erasurePreview, withdrawAsking } from '../../contract.ts'
import { useKept } from './kept.ts'

type Kind = (typeof RequestKind)['erase' | 'correct' | 'explain']

const asked = [
  [RequestKind.correct, '请求更正'],
  [RequestKind.explain, '请求解释说明'],
  [RequestKind.erase, '请求删除'],
] as const satisfies readonly (readonly [Kind, string])[]

const kinds: Readonly<Record<number, string>> = {
  [RequestKind.erase]: '删除信息',
  [RequestKind.correct]: '更正信息',
  [RequestKind.explain]: '解释说明',
  [RequestKind.relative]: '近亲属代为行使',
}

const states: Readonly<Record<number, string>> = {
  [RequestStatus.asked]: '待受理',
  [RequestStatus.accepted]: '处理中',
  [RequestStatus.refusing]: '处理中',
  [RequestStatus.done]: '已办结',
  [RequestStatus.refused]: '已拒绝',
  [RequestStatus.withdrawn]: '已撤回',
}

/** What goes and what stays, row by row, before anybody asks for it. */
function Preview({ children }: { children: ReactNode }): ReactNode {
  const t = useT()
  const kept = useKept()
  const found = useContract(erasurePreview, {})
  return (
    <Loaded query={found}>
      {({ block, rows }) => {
        if (block)
          return (
            <p className="in-problem" role="alert">
              {block}
            </p>
          )
        const [stays, goes] = [rows.filter(one => one.then === 'stay'), rows.filter(one => one.then !== 'stay')]
        const lines = (of: typeof rows) => (
          <ul>
            {of.map(one => (
              <li key={`${one.title} ${one.examName}`}>
                {[t(one.title), one.examName, t('共 {{n}} 条', { n: one.count })].filter(Boolean).join(' · ')}
                {one.then === 'stay' && (
                  <p className="my-quiet">
                    {t(one.ground)} · {kept.until(one.until, one)}
                  </p>
                )}
              </li>
            ))}
          </ul>
        )
        return (
          <>
            <h3>{t('将要清除')}</h3>
            {lines(goes)}
            <p className="my-quiet">{t('账号同时停用，不能再登录；清除后不能恢复。')}</p>
            <h3>{t('依法继续保存')}</h3>
            {lines(stays)}
            {children}
          </>
        )
      }}
    </Loaded>
  )
}

function Ask({ kind, onDone, onCancel }: { kind: Kind; onDone: () => void; onCancel: () => void }): ReactNode {
  const t = useT()
  const [content, setContent] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    if (content.trim() === '') return setProblem(t('请写明涉及哪些信息和理由'))
    setBusy(true)
    try {
      await call(askAboutData, { requestKind: kind, content: content.trim() }, { pass: 'all' })
      onDone()
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('网络不通，请检查网络后重试'))
    } finally {
      setBusy(false)
    }
  }
  const form = (
    <form onSubmit={event => void send(event)} noValidate>
      <Entry
        id="requestContent"
        label={t('说明')}
        maxLength={1000}
        value={content}
        problem={problem}
        onChange={event => {
          setContent(event.target.value)
          setProblem('')
        }}
      />
      <FormButtons action="提交请求" danger={kind === RequestKind.erase} busy={busy} onCancel={onCancel} />
    </form>
  )
  if (kind !== RequestKind.erase) return form
  return (
    <>
      <Preview>{form}</Preview>
      <Button size="large" type="text" onClick={onCancel}>
        {t('返回')}
      </Button>
    </>
  )
}

/** What one has asked of the data that are kept, what became of it, and the ways to ask. */
export function Requests(): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [kind, setKind] = useState<Kind | null>(null)
  const found = useContract(callOf(datarequest, 'page'), { current: 1, size: 10 })
  const again = (): void => {
    setKind(null)
    void found.refetch()
  }
  const withdraw = (id: string): void =>
    void call(withdrawAsking, { id }).then(
      () => {
        void message.success(t('已撤回'))
        again()
      },
      () => undefined,
    )
  const isOpen = (status: number): boolean => status === RequestStatus.asked || status === RequestStatus.accepted
  return (
    <section className="my-card">
      <h2>{t('更正、解释与删除')}</h2>
      <p className="my-quiet">
        {t('手机号和邮箱可在“我的资料”直接修改；其他请求在 15 个工作日内答复，被拒绝的可以依法向法院起诉。')}
      </p>
      {(found.data?.records ?? []).map(one => (
        <div key={one.id}>
          <Facts
            of={[
              [t('请求'), t(kinds[Number(one.requestKind)] ?? '')],
              [t('申请时间'), one.createTime],
              [t('状态'), t(states[Number(one.requestStatus)] ?? '')],
              [t('办理期限'), isOpen(Number(one.requestStatus)) ? one.dueDate : ''],
              [t('答复'), Number(one.requestStatus) === RequestStatus.refusing ? '' : one.answer],
            ]}
          />
          {isOpen(Number(one.requestStatus)) && (
            <Button size="large" onClick={() => withdraw(one.id)}>
              {t('撤回请求')}
            </Button>
          )}
        </div>
      ))}
      {kind === null ? (
        <div className="my-words">
          {asked.map(([one, title]) => (
            <Button
              key={one}
              size="large"
              danger={one === RequestKind.erase}
              disabled={found.isPending}
              onClick={() => setKind(one)}
            >
              {t(title)}
            </Button>
          ))}
        </div>
      ) : (
        <Ask kind={kind} onDone={again} onCancel={() => setKind(null)} />
      )}
    </section>
  )
}
