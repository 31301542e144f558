import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/** Service answers requests for a fixed time and keeps the last sessions in memory, as a session store would. */
public class Service {
    record Session(int user, String[] fields) {}

    public static void main(String[] args) throws InterruptedException {
        long end = System.nanoTime() + Integer.parseInt(args[0]) * 1_000_000_000L;
        int keep = Integer.parseInt(args[1]);
        Map<Integer, Session> sessions = new HashMap<>();
        ArrayDeque<Integer> oldest = new ArrayDeque<>();
        for (int user = 0; System.nanoTime() < end; user++) {
            String[] fields = new String[12];
            for (int i = 0; i < fields.length; i++) {
                fields[i] = "user " + user + " field " + i;
            }
            sessions.put(user, new Session(user, fields));
            oldest.add(user);
            if (oldest.size() > keep) {
                sessions.remove(oldest.poll());
            }
            if (user % 10 == 0) {
                Thread.sleep(1);
            }
        }
        System.out.println(sessions.size() + " sessions");
    }
}
