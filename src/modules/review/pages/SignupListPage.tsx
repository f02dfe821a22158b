import { PictureOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Link } from 'react-router-dom'
import type { Resource } from '#engine'
import { signup } from '#resources/sign-up/signup'
import { useT } from '../../../platform/i18n/i18n.ts'
import ListScreen from '../../../screens/ListScreen.tsx'
import { SignupExport } from './SignupExport.tsx'

/** The list's own export is replaced by one that asks what is to leave, and why. */
const shown: Resource = { ...(signup as Resource), can: signup.can.filter(ability => ability !== 'export') }

/** All sign-ups one may see: the generated list with its exports and the wall of photos. */
export default function SignupListPage() {
  const t = useT()
  return (
    <ListScreen
      resource={shown}
      slots={{
        toolbar: ({ chosen, filters }) => (
          <>
            <SignupExport chosen={chosen} filters={filters} />
            <Link to="/examine/photos">
              <Button icon={<PictureOutlined aria-hidden />}>{t('照片墙')}</Button>
            </Link>
          </>
        ),
      }}
    />
  )
}
