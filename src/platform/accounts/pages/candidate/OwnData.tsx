import { type ReactNode, useState } from 'react'
import { Sex } from '#schemas/dictionaries/administration'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { FilePick } from '../../../../screens/candidate/files/FilePick.tsx'
import { Thumb } from '../../../../screens/candidate/Thumb.tsx'
import { dayText } from '../../../../screens/candidate/times.ts'
import { FileProblem, fittedPicture, PHOTO_TYPES } from '../../../../screens/fields/picture-file.ts'
import { uploadFile } from '../../../../screens/fields/upload-file.ts'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { isCandidate, session } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import { changeProfile, type Profile } from '../../contract.ts'

/** Largest avatar in KB, and pixels of the longer side of one that is brought down to it. */
const MOST = 500
const LONGEST = 800

function useAvatar(onChange: () => void) {
  const t = useT()
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const send = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setBusy(true)
    setProblem('')
    try {
      const stored = await uploadFile(await fittedPicture(file, MOST, LONGEST), 'avatar')
      await call(changeProfile, { avatar: stored.attachId }, { pass: 'all' })
      session.update({ avatar: stored.attachId })
      onChange()
    } catch (error) {
      if (error instanceof FileProblem) setProblem(t(error.message, error.values))
      else setProblem(error instanceof ApiError ? error.message : t('网络不通，没有传完'))
    } finally {
      setBusy(false)
    }
  }
  return { busy, problem, send }
}

/** Who one is: name and number stand on the ID card and are not changed here. */
export function OwnData({ of, onChange }: { of: Profile; onChange: () => void }): ReactNode {
  const t = useT()
  const { busy, problem, send } = useAvatar(onChange)
  return (
    <section className="my-card">
      <div className="my-words">
        <Thumb id={of.avatar} ext="jpg" alt={t('头像')} />
        <FilePick accept={PHOTO_TYPES} disabled={busy} onPick={files => void send(files[0])}>
          {t('更换头像')}
        </FilePick>
      </div>
      {problem && (
        <p className="in-problem" role="alert">
          {problem}
        </p>
      )}
      <Facts
        of={[
          [t('账号'), of.account],
          [t('姓名'), of.realName],
          [t('证件号码'), of.idCard],
          [t('性别'), of.sex === Sex.male ? t('男') : of.sex === Sex.female ? t('女') : ''],
          [t('出生日期'), dayText(of.birthday)],
        ]}
      />
      {isCandidate(session.get()) && (
        <p className="my-quiet">{t('姓名和证件号码不能直接修改，有误请在下方申请变更。')}</p>
      )}
    </section>
  )
}
