import { signInMessage } from '../../lib/accounts/signIn'
import { StatePreview } from '../ui/StatePreview'
import { ConfirmSignIn, EnterCode, SignIn } from './SignIn'

const MAIL = { mail: true, outbox: false, providers: [] }
const NONE = { mail: false, outbox: false, providers: [] }

/** The states of the sign-in, for `/design`. */
export function SignInStates() {
  return (
    <>
      <StatePreview name="Signed out" isStill>
        <SignIn options={MAIL} />
      </StatePreview>
      <StatePreview name="Sign-in is not set up" isStill>
        <SignIn options={NONE} />
      </StatePreview>
      <StatePreview name="Waiting for the code" isStill>
        <EnterCode options={MAIL} />
      </StatePreview>
      <StatePreview name="A wrong code" isStill>
        <EnterCode options={MAIL} message={signInMessage('code')} />
      </StatePreview>
      <StatePreview name="An expired link" isStill>
        <ConfirmSignIn message={signInMessage('expired')} />
      </StatePreview>
      <StatePreview name="Sign-in is unavailable" isStill>
        <SignIn options={MAIL} message={signInMessage('unavailable')} />
      </StatePreview>
    </>
  )
}
