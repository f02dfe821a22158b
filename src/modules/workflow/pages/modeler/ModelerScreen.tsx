import {
  AimOutlined,
  ArrowLeftOutlined,
  RedoOutlined,
  UndoOutlined,
  ZoomInOutlined,
  ZoomOutOutlined,
} from '@ant-design/icons'
import { Alert, App, Button, Space, Spin, Tooltip } from 'antd'
import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '../../../../platform/http/browser/call.ts'
import { ApiError } from '../../../../platform/http/browser/http.ts'
import { sentence, useT } from '../../../../platform/i18n/i18n.ts'
import { DictSelect } from '../../../../screens/fields/DictSelect.tsx'
import { useCan } from '../../../../screens/providers/rights.ts'
import { deployModel, submitModel } from '../../contract.ts'
import { useFresh } from '../acts.ts'
import { DiagramDialog } from '../DiagramDialog.tsx'
import type { Draft, DraftKeeper } from './draft.ts'
import type { Editor } from './editor.ts'
import { Panel, processOf } from './panel/Panel.tsx'
import { placesOf } from './problem-place.ts'
import { useDrawing } from './use-drawing.ts'
import './modeler.css'

interface Props {
  modelId: string
  isNew: boolean
  /** What it begins with. */
  beginning: Draft
  keeper: DraftKeeper
  /** Whether that has not been saved. */
  isDirty: boolean
  /** Whether somebody else has saved the model since. */
  isOutdated: boolean
  onSaved: () => void
  /** Begins anew with the model as it was saved last. */
  onReload: () => void
}

/** Asks before the window is closed or reloaded while something is not saved. */
function useAskBeforeLeaving(isDirty: boolean): void {
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isDirty])
}

function Tool(props: { label: string; icon: ReactNode; disabled?: boolean; onClick: () => void }): ReactNode {
  const { label, ...rest } = props
  const t = useT()
  return (
    <Tooltip title={t(label)}>
      <Button {...rest} aria-label={t(label)} />
    </Tooltip>
  )
}

function Tools({ editor }: { editor: Editor }): ReactNode {
  return (
    <Space.Compact>
      <Tool label="撤销" icon={<UndoOutlined aria-hidden />} disabled={!editor.canUndo} onClick={editor.undo} />
      <Tool label="重做" icon={<RedoOutlined aria-hidden />} disabled={!editor.canRedo} onClick={editor.redo} />
      <Tool label="放大" icon={<ZoomInOutlined aria-hidden />} onClick={() => editor.zoom(1.25)} />
      <Tool label="缩小" icon={<ZoomOutOutlined aria-hidden />} onClick={() => editor.zoom(0.8)} />
      <Tool label="适应窗口" icon={<AimOutlined aria-hidden />} onClick={editor.fit} />
    </Space.Compact>
  )
}

interface ConflictProps {
  modelId: string
  isBusy: boolean
  onKeep: () => void
  onLoad: () => void
}

/** Somebody else has saved the model meanwhile: what was drawn here is still there, and its person decides. */
function Conflict({ modelId, isBusy, onKeep, onLoad }: ConflictProps): ReactNode {
  const t = useT()
  const { modal } = App.useApp()
  const [isShown, show] = useState(false)
  return (
    <>
      <Alert
        type="warning"
        showIcon
        title={t('模型已被他人修改，您绘制的内容还在。')}
        description={
          <Space wrap>
            <Button onClick={() => show(true)}>{t('查看已保存的模型')}</Button>
            <Button
              disabled={isBusy}
              onClick={() =>
                void modal.confirm({ title: t('用您绘制的内容覆盖他人保存的模型?'), okText: t('覆盖'), onOk: onKeep })
              }
            >
              {t('保留我的')}
            </Button>
            <Button
              disabled={isBusy}
              onClick={() =>
                void modal.confirm({
                  title: t('载入最新内容会丢弃您绘制的内容，确定载入?'),
                  okText: t('载入'),
                  onOk: onLoad,
                })
              }
            >
              {t('载入最新内容')}
            </Button>
          </Space>
        }
      />
      {isShown && <DiagramDialog of={{ modelId }} onClose={() => show(false)} />}
    </>
  )
}

/** The drawing with its buttons and the panel of what is chosen. */
export function ModelerScreen(props: Props): ReactNode {
  const { modelId, isNew, beginning, keeper, onSaved, onReload } = props
  const t = useT()
  const go = useNavigate()
  const refresh = useFresh()
  const categoryId = useId()
  const { message, modal } = App.useApp()
  const [mayAdd, mayEdit] = [useCan('flow_deployment_add'), useCan('flow_deployment_edit')]
  const [dirty, setDirty] = useState(props.isDirty)
  const [category, setCategory] = useState(beginning.category)
  // The version that what is drawn here was drawn on.
  const version = useRef(beginning.version)
  const [conflict, setConflict] = useState(props.isOutdated)
  const [busy, setBusy] = useState<'save' | 'deploy'>()
  const [problem, setProblem] = useState<string>()
  const keep = (of = category): void => {
    setDirty(true)
    if (editor) keeper.changed(async () => ({ xml: await editor.xml(), category: of, version: version.current }))
  }
  const { place, editor, failed } = useDrawing(beginning.xml, () => keep())
  useAskBeforeLeaving(dirty)

  /**
   * Saves the drawing; answers its id.
   * @param isForced whatever somebody else has saved since
   */
  const save = async (at: Editor, isForced: boolean): Promise<string> => {
    const drawn = keeper.changes
    const xml = await at.xml()
    const process = processOf(at)
    const modelKey = process?.id ?? ''
    const name = process?.get<string>('name') || modelKey
    const saved = await call(
      submitModel,
      {
        ...(!isNew && { id: modelId, ...(!isForced && { version: version.current }) }),
        name,
        modelKey,
        category: Number(category) as 1,
        xml,
      },
      { pass: 'all' },
    )
    version.current = saved.version
    // What was drawn while it was being saved is not saved.
    if (drawn === keeper.changes) {
      keeper.drop()
      setDirty(false)
    }
    setConflict(false)
    onSaved()
    return saved.id
  }
  const refused = async (at: Editor, error: unknown): Promise<void> => {
    if (error instanceof ApiError && error.code === REFUSAL.row.changed) return setConflict(true)
    const said = error instanceof Error ? error.message : String(error)
    setProblem(said)
    placesOf(said, await at.xml()).some(id => at.choose(id))
  }
  const run = async (what: 'save' | 'deploy', isForced = false): Promise<void> => {
    if (!editor) return
    if (!category) return setProblem('请选择流程分类')
    setBusy(what)
    setProblem(undefined)
    let id: string | undefined
    try {
      id = await save(editor, isForced)
      // Not what somebody else saves in between.
      if (what === 'deploy') await call(deployModel, { modelId: id, version: String(version.current) }, { pass: 'all' })
      message.success(t(what === 'deploy' ? '已部署' : '已保存'))
    } catch (error) {
      await refused(editor, error)
    } finally {
      setBusy(undefined)
      refresh()
    }
    if (!isNew || !id) return
    await keeper.moveTo(id)
    void go(`/flow/model/draw/${id}`, { replace: true })
  }
  const askToDeploy = (): void =>
    void modal.confirm({ title: t('部署后新发起的流程按这个版本办理，确定部署?'), onOk: () => void run('deploy') })
  const leave = (): void => {
    const out = (): void => void go('/flow/model')
    if (!dirty) out()
    else
      modal.confirm({
        title: t('内容尚未保存，确定离开?'),
        content: t('没有保存的内容留在这台设备上，下次打开时恢复。'),
        okText: t('离开'),
        cancelText: t('继续绘制'),
        onOk: out,
      })
  }
  const may = isNew ? mayAdd : mayEdit
  return (
    <>
      <div className="modeler-bar">
        <Tool label="返回" icon={<ArrowLeftOutlined aria-hidden />} onClick={leave} />
        <h1>{(editor && processOf(editor)?.get<string>('name')) || t('流程模型')}</h1>
        <div className="modeler-category">
          <label htmlFor={categoryId}>{t('流程分类')}</label>
          <DictSelect
            id={categoryId}
            code="flow"
            value={category}
            onChange={next => {
              setCategory(String(next ?? ''))
              keep(String(next ?? ''))
            }}
          />
        </div>
        {editor && <Tools editor={editor} />}
        {may && (
          <Space>
            <Button loading={busy === 'save'} disabled={!editor || busy !== undefined} onClick={() => void run('save')}>
              {t('保存')}
            </Button>
            {mayEdit && (
              <Button
                type="primary"
                loading={busy === 'deploy'}
                disabled={!editor || busy !== undefined}
                onClick={askToDeploy}
              >
                {t('部署模型')}
              </Button>
            )}
          </Space>
        )}
        <span className="modeler-state" aria-live="polite">
          {dirty ? t('未保存') : ''}
        </span>
      </div>
      {conflict && (
        <Conflict
          modelId={modelId}
          isBusy={busy !== undefined}
          onKeep={() => void run('save', true)}
          onLoad={onReload}
        />
      )}
      {problem && (
        <Alert
          type="error"
          showIcon
          closable={{ onClose: () => setProblem(undefined) }}
          title={sentence(t(problem))}
          className="modeler-problem"
        />
      )}
      {failed && <Alert type="error" showIcon title={t('流程图无法显示：模型不完整')} />}
      <div className="modeler" hidden={failed}>
        <section className="modeler-canvas" ref={place} aria-label={t('流程图')}>
          {!editor && !failed && <Spin className="modeler-wait" />}
        </section>
        {editor && <Panel editor={editor} />}
      </div>
    </>
  )
}
