import { Alert, App, Button } from 'antd'
import { type ReactNode, useState } from 'react'
import type { ValuesOf } from '#engine'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { PositionList } from '../../../sign-up/pages/exams/PositionList.tsx'
import { type ChoiceInfo, chooseAnew } from '../../contract.ts'

/** The positions one may move to, one choice, and giving up; each is asked once more, because it is final. */
export function Choosing({ info, onDone }: { info: ChoiceInfo; onDone: () => void }): ReactNode {
  const t = useT()
  const { modal, message } = App.useApp()
  const [code, setCode] = useState('')
  const target = info.targets.find(one => one.code === code)
  const warnings = target?.precheck.filter(one => one.level > 1) ?? []
  const send = (choice: Omit<ValuesOf<typeof chooseAnew>, 'signupId'>, done: string): Promise<void> =>
    call(chooseAnew, { signupId: info.signupId, ...choice }).then(
      () => {
        void message.success(t(done))
        onDone()
      },
      () => onDone(),
    )
  const ask = (title: string, content: string, danger: boolean, onOk: () => Promise<void>): void => {
    modal.confirm({ title, content, okText: t('确定'), cancelText: t('取消'), okButtonProps: { danger }, onOk })
  }
  const take = (): void => {
    if (!target) return void message.warning(t('请选择岗位'))
    const { unit, type, postName, unitName } = target
    ask(t('改报{{post}}？', { post: `${unitName} · ${postName}` }), t('提交后不能更改。'), false, () =>
      send({ agree: 1, unit2: unit, type2: type, code2: code }, '改报已提交'),
    )
  }
  const decline = (): void =>
    ask(t('放弃改报？'), t('放弃后不再参加本次考试，已缴的费用将退还。'), true, () => send({ agree: 0 }, '已放弃改报'))
  return (
    <>
      {info.targets.length > 0 ? (
        <PositionList positions={info.targets} chosen={code} onChoose={one => setCode(one.code)} />
      ) : (
        <Nothing title={t('没有您可以改报的岗位，有疑问请致电{{phone}}', { phone: info.contactPhone })} />
      )}
      {warnings.length > 0 && (
        <Alert
          type="warning"
          showIcon
          title={t('以下条件由审核人员核对')}
          description={warnings.map(one => one.msg).join('；')}
        />
      )}
      <div className="my-actions">
        {info.targets.length > 0 && (
          <Button type="primary" size="large" block disabled={!target} onClick={take}>
            {t('提交改报')}
          </Button>
        )}
        <Button size="large" danger block onClick={decline}>
          {t('放弃改报')}
        </Button>
      </div>
    </>
  )
}
