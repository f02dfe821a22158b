import { UserOutlined } from '@ant-design/icons'
import { useT } from '../../../../platform/i18n/i18n.ts'
import type { Seated } from '../../check-in/contract.ts'

/** The face to compare. */
export function Portrait({ of, large }: { of: Seated; large?: boolean }) {
  const t = useT()
  const name = large ? 'door-photo door-photo-large' : 'door-photo'
  if (!of.photo)
    return (
      <span className={name} role="img" aria-label={t('没有照片')}>
        <UserOutlined aria-hidden />
      </span>
    )
  return <img className={name} src={of.photo} alt={large ? t('{{name}}的照片', { name: of.name }) : ''} />
}
