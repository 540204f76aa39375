import { useNavigate } from 'react-router'

export default function Home() {
  const navigate = useNavigate()
  return (
    <button type="button" onClick={() => navigate('/target')}>
      Cart
    </button>
  )
}
