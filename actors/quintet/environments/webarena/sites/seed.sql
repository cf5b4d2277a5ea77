CREATE TABLE users (site TEXT, name TEXT, password TEXT, shown TEXT, phone TEXT DEFAULT '', PRIMARY KEY (site, name));
CREATE TABLE sessions (id INTEGER PRIMARY KEY, site TEXT, user TEXT);
INSERT INTO users VALUES
('shopping', 'emma@harbor.example', 'teal-lamp-40', 'Emma Lindqvist', '555-310-2200'),
('reddit', 'tidewalker', 'grey-heron-7', 'tidewalker', ''),
('reddit', 'harborcat', 'anchor-9-tide', 'harborcat', ''),
('gitlab', 'mvoss', 'slip-knot-3', 'Mira Voss', '');
INSERT INTO sessions (site, user) VALUES ('shopping', 'emma@harbor.example'), ('reddit', 'tidewalker'), ('gitlab', 'mvoss');

CREATE TABLE categories (slug TEXT PRIMARY KEY, name TEXT, department TEXT);
INSERT INTO categories VALUES
('floor-lamps', 'Floor Lamps', 'Lighting'), ('desk-lamps', 'Desk Lamps', 'Lighting'),
('mugs', 'Mugs', 'Kitchen'), ('teapots', 'Teapots', 'Kitchen'),
('card-games', 'Card Games', 'Games'), ('puzzles', 'Puzzles', 'Games');
CREATE TABLE products (sku TEXT PRIMARY KEY, category TEXT, name TEXT, cents INTEGER, colours TEXT, years INTEGER, text TEXT);
INSERT INTO products VALUES
('LMP-1140', 'floor-lamps', 'Heron Floor Lamp', 7900, 'Black,Brass', 3, 'A tall lamp of bent steel that reads over your shoulder.'),
('LMP-1152', 'floor-lamps', 'Reed Floor Lamp', 6450, 'White,Green', 2, 'A thin lamp for a corner. The shade turns.'),
('LMP-1161', 'floor-lamps', 'Bollard Floor Lamp', 11800, 'Black,White', 5, 'A heavy lamp on a foot of cast iron.'),
('LMP-1210', 'desk-lamps', 'Otter Desk Lamp', 2899, 'Red,White', 1, 'A small lamp with a clamp instead of a foot.'),
('LMP-1215', 'desk-lamps', 'Finch Desk Lamp', 3500, 'Green,White', 2, 'A lamp with two joints.'),
('MUG-2001', 'mugs', 'Ripple Mug', 950, 'Blue,Green,White', 1, 'Glazed by hand, holds 300 ml.'),
('MUG-2002', 'mugs', 'Quay Stone Mug', 1200, 'Grey,White', 1, 'Rough outside and smooth inside.'),
('POT-2010', 'teapots', 'Oakhandle Teapot', 3100, 'White,Black', 2, 'Holds a litre; the handle stays cool.'),
('GAM-3001', 'card-games', 'Ferry Card Game', 1500, 'Red,Blue', 1, 'Bring three captains across before the fog comes.'),
('GAM-3002', 'card-games', 'Lantern Card Game', 1850, 'Red,Blue', 1, 'Trade lights along the coast.'),
('GAM-3010', 'puzzles', 'Night Harbor Puzzle', 2200, 'Blue,Grey', 1, '1,000 pieces, most of them dark blue.');
CREATE TABLE reviews (sku TEXT, rating INTEGER, nickname TEXT, summary TEXT, text TEXT);
INSERT INTO reviews VALUES
('LMP-1210', 1, 'Piet', 'Too dim', 'I cannot read by it.'),
('LMP-1210', 5, 'Amara', 'Lovely', 'Just what my desk needed, and the clamp holds.'),
('LMP-1210', 1, 'Oskar', 'Short cable', 'The cable ends half a metre before my socket does.'),
('LMP-1210', 4, 'Farah', 'Good clamp', 'It fits on thick boards too.'),
('GAM-3001', 5, 'Ravi', 'Quick and mean', 'Twenty minutes, and nobody is bored.'),
('GAM-3010', 3, 'Anton', 'Dark', 'It took us the whole winter.');
CREATE TABLE cart (user TEXT, sku TEXT, colour TEXT, quantity INTEGER, PRIMARY KEY (user, sku, colour));
CREATE TABLE orders (number INTEGER PRIMARY KEY, user TEXT, day TEXT, state TEXT);
INSERT INTO orders VALUES
(41, 'emma@harbor.example', '3/4/2022', 'Complete'), (44, 'emma@harbor.example', '7/24/2022', 'Canceled'),
(52, 'emma@harbor.example', '11/2/2022', 'Complete'), (58, 'emma@harbor.example', '11/19/2022', 'Complete'),
(63, 'emma@harbor.example', '1/15/2023', 'Canceled'), (70, 'emma@harbor.example', '5/30/2023', 'Pending');
CREATE TABLE order_items (number INTEGER, sku TEXT, colour TEXT, quantity INTEGER, cents INTEGER);
INSERT INTO order_items VALUES
(41, 'MUG-2001', 'White', 4, 900), (44, 'LMP-1161', 'Black', 1, 11800), (52, 'GAM-3002', 'Red', 1, 1850),
(52, 'MUG-2002', 'Grey', 2, 1200), (58, 'GAM-3010', 'Blue', 1, 2200), (63, 'LMP-1215', 'Green', 2, 3500),
(63, 'GAM-3001', 'Red', 1, 1495), (70, 'MUG-2002', 'White', 1, 1200);

CREATE TABLE forums (name TEXT PRIMARY KEY, title TEXT, subscribers INTEGER);
INSERT INTO forums VALUES
('baking', 'Bread, cake and what went wrong', 812), ('books', 'What you read', 640), ('cycling', 'On two wheels', 455),
('harborview', 'The town and its people', 1203), ('software', 'Programs and those who write them', 377);
CREATE TABLE subscriptions (forum TEXT, user TEXT, PRIMARY KEY (forum, user));
INSERT INTO subscriptions VALUES ('harborview', 'tidewalker'), ('baking', 'tidewalker');
CREATE TABLE submissions (id INTEGER PRIMARY KEY, forum TEXT, slug TEXT, title TEXT, author TEXT, body TEXT, score INTEGER);
INSERT INTO submissions VALUES
(1, 'baking', 'which-mill-for-a-family-of-six', 'Which mill for a family of six?', 'crumbwise', 'We bake every day and our old mill has given up. It should be quiet, and it must not get hot.', 230),
(2, 'baking', 'rye-that-does-not-rise', 'Rye that does not rise', 'doughboy', 'It stays flat whatever I do. The kitchen has 17 degrees.', 41),
(3, 'books', 'a-sea-story-for-children', 'A sea story for children', 'dustjacket', 'My niece is nine and is afraid of storms. What should I read to her?', 66),
(4, 'cycling', 'the-coast-road-is-closed', 'The coast road is closed', 'chainring', 'From the lighthouse to the quay, until August.', 90),
(5, 'harborview', 'swing-bridge-works', 'Swing bridge: dates of the works', 'bridgekeeper', 'The bridge is closed to cars from 3 July. Cars can use it again from 28 July on. On foot you can cross every day.', 152),
(6, 'software', 'what-do-you-use-for-timetables', 'What do you use for timetables?', 'tidewalker', 'I need something that reads tide tables as well.', 18),
(7, 'cycling', 'spring-ride-to-the-mill', 'Spring ride to the mill', 'chainring', 'Sunday at nine from the quay, 40 km, slowly.', 12),
(8, 'harborview', 'looking-for-a-lamp', 'What does the Heron lamp cost by now?', 'nightreader', 'It was 95 dollars last year. Is it still in the shop?', 7);
CREATE TABLE comments (id INTEGER PRIMARY KEY, submission INTEGER, author TEXT, body TEXT, score INTEGER);
INSERT INTO comments VALUES
(1, 1, 'ovenmitt', 'Buy flour. I mean it.', 14),
(2, 1, 'stonegrind', 'We have had three mills in nine years. The first was loud enough to wake the house, the second burnt out after a winter of daily bread. Whatever you take, look at the stones before you look at the motor, and ask who repairs it. Ours stands on a folded towel now, and the children sleep until the bread is in the oven.', 96),
(3, 1, 'bran', 'A hand mill. You will not need a gym either. Forty turns a bun, and four people who can take turns make a loaf before breakfast. There is no motor in it that could burn out, and nobody has ever been woken by ours.', 35),
(4, 1, 'crumbwise', 'Thank you all. We would rather sleep than turn a crank, so it will be one with a motor, and we shall look at the stones first.', 20),
(5, 1, 'grist', 'Then the Tarnwell 300 it is: quiet, cool, and the stones can be changed by hand. Ours has run every day since 2019.', 141),
(6, 3, 'tidewalker', 'The Salt Stair. The storm is outside all the time, and nobody minds.', 30),
(7, 4, 'bridgekeeper', 'The path below it stays open for bicycles.', 22),
(8, 4, 'freewheel', 'Only at low tide, I was told.', 9),
(9, 4, 'chainring', 'It was dry all week.', 5),
(10, 5, 'tidewalker', 'And the night ferry?', 3);
CREATE TABLE votes (submission INTEGER, user TEXT, PRIMARY KEY (submission, user));

CREATE TABLE projects (path TEXT PRIMARY KEY, name TEXT, text TEXT, stars INTEGER);
INSERT INTO projects VALUES
('harborworks/ferrybot', 'Ferrybot', 'Says aloud when the ferry does not come.', 48),
('mvoss/potluck', 'Potluck', 'Who brings which dish.', 12),
('openloom/loom', 'Loom', 'A drawing program with layers.', 903);
CREATE TABLE members (project TEXT, username TEXT, name TEXT, role TEXT, PRIMARY KEY (project, username));
INSERT INTO members VALUES
('harborworks/ferrybot', 'ebianchi', 'Elio Bianchi', 'Owner'), ('harborworks/ferrybot', 'mvoss', 'Mira Voss', 'Maintainer'),
('mvoss/potluck', 'mvoss', 'Mira Voss', 'Owner'), ('mvoss/potluck', 'mokafor', 'Mercy Okafor', 'Developer'),
('openloom/loom', 'tbauer', 'Tim Bauer', 'Owner');
CREATE TABLE milestones (project TEXT, title TEXT, due TEXT);
INSERT INTO milestones VALUES ('openloom/loom', '4.1', '2023-03-31'), ('openloom/loom', '4.2', '2023-07-14'), ('mvoss/potluck', 'Summer party', '2023-06-24');
CREATE TABLE issues (project TEXT, number INTEGER, title TEXT, text TEXT, author TEXT, assignee TEXT, label TEXT, milestone TEXT, state TEXT, PRIMARY KEY (project, number));
INSERT INTO issues VALUES
('harborworks/ferrybot', 1, 'Speaks too fast', 'Slow down at pier names.', 'ebianchi', '', 'feature', '', 'closed'),
('harborworks/ferrybot', 2, 'Announces fog for the wrong pier', 'Pier 14 and pier 41 are swapped in the rule.', 'ebianchi', 'mvoss', 'bug', '', 'opened'),
('harborworks/ferrybot', 3, 'Quiet hours', 'Nothing between ten and six.', 'mvoss', 'ebianchi', 'feature', '', 'opened'),
('mvoss/potluck', 1, 'Two people bring the same salad', 'Say so while they type.', 'mokafor', 'mokafor', 'bug', '', 'closed'),
('mvoss/potluck', 2, 'Print the list', 'For the kitchen door.', 'mvoss', 'mvoss', 'feature', 'Summer party', 'closed'),
('mvoss/potluck', 3, 'Dish names are cut', 'After 20 letters.', 'mvoss', 'mokafor', 'bug', 'Summer party', 'opened'),
('mvoss/potluck', 4, 'Wrong count of guests', 'Children are counted twice.', 'mokafor', 'mvoss', 'bug', '', 'closed'),
('openloom/loom', 1, 'Colour picker does not open with the keyboard', 'Enter and Space do nothing.', 'tbauer', '', 'bug', '4.2', 'opened');
CREATE TABLE notes (project TEXT, number INTEGER, author TEXT, text TEXT);
INSERT INTO notes VALUES ('harborworks/ferrybot', 2, 'ebianchi', 'Heard it yesterday, in bright sun.');
